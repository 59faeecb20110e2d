import { Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { Confirm } from '../parts/confirm.tsx'
import { Empty, WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { count } from '../parts/formats.ts'
import { Page, Section } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { knownPlacesTexts } from '../texts/known-places.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { type KnownPlace, useForgetAll, useKnownPlaces, useUpload } from './known-place-queries.ts'

/** Uploads places from a CSV or XLSX file, and says how many of them are new. */
function Upload() {
  const t = useTexts(knownPlacesTexts)
  const { language } = useLanguage()
  const upload = useUpload()
  const result = upload.data
  return (
    <Section title={t.upload}>
      <Text size="sm" c="dimmed">
        {t.uploadHint}
      </Text>
      <Group gap="sm">
        <FileButton accept=".csv,.tsv,.txt,.xlsx,text/csv" onChange={(file) => file && upload.mutate(file)}>
          {(props) => (
            <Button {...props} loading={upload.isPending}>
              {t.choose}
            </Button>
          )}
        </FileButton>
        <Text size="sm" role="status">
          {result && t.result(count(result.added, language), count(result.already_known, language))}{' '}
          {result && result.unreadable > 0 && t.unreadable(count(result.unreadable, language))}
        </Text>
      </Group>
    </Section>
  )
}

/** A button that forgets all known places, once the user has confirmed it. */
function ForgetAll() {
  const t = useTexts(knownPlacesTexts)
  const [asked, setAsked] = useState(false)
  const forget = useForgetAll()
  const close = () => setAsked(false)
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t.forget}
      </Button>
      <Confirm
        opened={asked}
        title={t.forgetSure}
        hint={t.forgetHint}
        action={t.forget}
        cancelLabel={t.keep}
        pending={forget.isPending}
        onClose={close}
        onConfirm={() => forget.mutate(undefined, { onSettled: close })}
      />
    </>
  )
}

/** The places that jobs with `only_new` drop: list them, upload more, forget all. */
export default function KnownPlacesPage() {
  const t = useTexts(knownPlacesTexts)
  const { language } = useLanguage()
  const known = useKnownPlaces()
  return (
    <Page title={t.title} lead={t.lead} actions={known.data?.length ? <ForgetAll /> : undefined}>
      <Upload />
      <WithData query={known}>
        {(places) =>
          places.length === 0 ? (
            <Empty title={t.none} hint={t.noneHint} />
          ) : (
            <Stack gap="xs">
              <Text size="sm" c="dimmed" aria-live="polite">
                {known.hasNextPage ? t.first(count(places.length, language)) : t.all(count(places.length, language))}
              </Text>
              <PlacesTable places={places} />
              {known.hasNextPage && (
                <Group>
                  <Button variant="default" onClick={() => known.fetchNextPage()} loading={known.isFetchingNextPage}>
                    {t.more}
                  </Button>
                </Group>
              )}
            </Stack>
          )
        }
      </WithData>
    </Page>
  )
}

function PlacesTable({ places }: { places: KnownPlace[] }) {
  const t = useTexts(knownPlacesTexts)
  const columns: Column<KnownPlace>[] = [
    {
      title: t.place,
      breakable: true,
      cell: ({ place_key, title, city }) => (
        <>
          {[title, city].filter(Boolean).join(', ')}
          <Text size="xs" c="dimmed" ff="monospace">
            {place_key}
          </Text>
        </>
      ),
    },
    {
      title: t.lastSeen,
      cell: ({ last_seen_at, last_job_id }) => (
        <>
          <Time at={last_seen_at} />{' '}
          {last_job_id === undefined ? (
            t.uploaded
          ) : (
            <Anchor component={Link} href={`/jobs/${last_job_id}`} inherit underline="always">
              {t.byJob}
            </Anchor>
          )}
        </>
      ),
    },
    { title: t.firstSeen, from: 'sm', cell: ({ first_seen_at }) => <Time at={first_seen_at} /> },
  ]
  return <DataTable dense label={t.title} rows={places} columns={columns} keyOf={({ place_key }) => place_key} />
}
