import { Anchor, Badge, Box, Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { lazyChunk } from '../parts/chunk.ts'
import { Empty, Loading, WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { changesQuery, type Monitor } from './monitor-queries.ts'

const PlacesMap = lazyChunk(() => import('../map/places-map.tsx'))

type Change = Schemas['Change']

const COLORS: Record<Change['type'], string> = { new: 'green', changed: 'blue', gone: 'red', back: 'green' }

/** The changes that a monitor found, newest first, in a table and on a map. */
export function Changes({ monitor: { id, knows_area } }: { monitor: Monitor }) {
  const t = useTexts(monitorsTexts)
  const query = useInfiniteQuery(changesQuery(id))
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t.changesLead} {!knows_area && t.areaUnknown}
        </Text>
        <ExportMenu
          size="xs"
          label={t.exportAll}
          hint={t.exportChangesHint}
          path={`/api/v1/monitors/${id}/changes/download`}
          formats={['csv', 'jsonl']}
          hasLayout={false}
        />
      </Group>
      <WithData query={query}>
        {({ pages }) => <TableAndMap changes={pages.flatMap((page) => page.changes)} />}
      </WithData>
      {query.hasNextPage && (
        <Button variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
          {t.showMore}
        </Button>
      )}
    </Stack>
  )
}

function TableAndMap({ changes }: { changes: Change[] }) {
  const t = useTexts(monitorsTexts)
  const [pointed, setPointed] = useState<number>()
  const places = useMemo(() => changes.flatMap(placeOf), [changes])
  if (changes.length === 0) return <Empty title={t.noChanges} hint={t.noChangesHint} />
  return (
    <>
      {places.length > 0 && (
        <Box className="changes-map">
          <Suspense fallback={<Loading />}>
            <PlacesMap places={places} parts={undefined} pointed={pointed} onChoose={setPointed} />
          </Suspense>
        </Box>
      )}
      <ChangesTable changes={changes} pointed={pointed} onPoint={setPointed} />
    </>
  )
}

/** Returns the place of a change for the map, if the site has said where it is. */
function placeOf({ sequence: id, title = '', latitude, longitude }: Change) {
  return latitude === undefined || longitude === undefined ? [] : [{ id, title, latitude, longitude }]
}

type ChangesTableProps = { changes: Change[]; pointed: number | undefined; onPoint(sequence: number | undefined): void }

function ChangesTable({ changes, pointed, onPoint }: ChangesTableProps) {
  const t = useTexts(monitorsTexts)
  const columns: Column<Change>[] = [
    {
      title: t.seen,
      cell: ({ job_id, seen_at }) => (
        <Anchor component={Link} href={`/jobs/${job_id}`} inherit underline="always">
          <Time at={seen_at} />
        </Anchor>
      ),
    },
    { title: t.place, breakable: true, cell: ({ title, place_key }) => title ?? place_key },
    {
      title: t.change,
      breakable: true,
      cell: ({ type, fields }) => (
        <>
          <Badge variant="light" radius="sm" tt="none" color={COLORS[type]} className="state">
            {t.types[type]}
          </Badge>
          <ChangedFields fields={fields} />
        </>
      ),
    },
  ]
  return (
    <DataTable
      dense
      label={t.changes}
      rows={changes}
      columns={columns}
      keyOf={({ sequence }) => sequence}
      active={pointed}
      onPoint={(change) => onPoint(change?.sequence)}
    />
  )
}

/** The value before and after of each changed field. */
function ChangedFields({ fields = {} }: { fields: Change['fields'] }) {
  return Object.entries(fields).map(([field, { before, after }]) => (
    <Text key={field} size="sm">
      <Text span c="dimmed" size="xs" ff="monospace">
        {field}
      </Text>{' '}
      {isMissing(before) ? '–' : <del>{shown(before)}</del>} → {isMissing(after) ? '–' : <ins>{shown(after)}</ins>}
    </Text>
  ))
}

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
