import { Anchor, Box, Button, Group, Stack, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Empty, WithData } from '../parts/data-states.tsx'
import { count } from '../parts/number-format.ts'
import { Page } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { knownPlacesTexts } from '../texts/known-places.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { ForgetAll } from './forget-all.tsx'
import { type KnownPlace, useKnownPlaces } from './known-place-queries.ts'
import { Upload } from './upload.tsx'

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
  return (
    <Box className="panel table-scroll">
      <Table verticalSpacing="xs" aria-label={t.title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.id}</Table.Th>
            <Table.Th>{t.lastSeen}</Table.Th>
            <Table.Th visibleFrom="sm">{t.firstSeen}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {places.map(({ place_key, first_seen_at, last_seen_at, last_job_id }) => (
            <Table.Tr key={place_key}>
              <Table.Td className="breakable">
                <Text span size="sm" ff="monospace">
                  {place_key}
                </Text>
              </Table.Td>
              <Table.Td>
                <Time at={last_seen_at} />{' '}
                {last_job_id === undefined ? (
                  t.uploaded
                ) : (
                  <Anchor component={Link} href={`/jobs/${last_job_id}`} inherit underline="always">
                    {t.byJob}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Time at={first_seen_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
