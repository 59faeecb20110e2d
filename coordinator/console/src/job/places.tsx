import { Box, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Suspense, useCallback, useMemo, useState } from 'react'
import type { Job } from '../jobs/job-queries.ts'
import { isActive } from '../jobs/job-rules.ts'
import { areaOf } from '../map/circle.ts'
import { lazyChunk } from '../parts/chunk.ts'
import { Empty, Failure, Loading } from '../parts/data-states.tsx'
import { Pager } from '../parts/data-table.tsx'
import { count } from '../parts/formats.ts'
import { useOpened } from '../parts/rows.ts'
import { pageIn, useFilters } from '../parts/search-params.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { placesTexts } from '../texts/places.ts'
import { CoverageInWords, hasCoverage, hasParts, PartsLegend, PartsSwitch, useSearchedParts } from './coverage.tsx'
import { PlaceDetails } from './place-details.tsx'
import { PlacesTable } from './places-table.tsx'
import { TierFacets, tiersIn } from './tier-facets.tsx'
import type { Place } from './use-places.ts'
import { usePlaces } from './use-places.ts'

const PlacesMap = lazyChunk(() => import('../map/places-map.tsx'))

const ROWS = 50

/** The places of a job in a table and on a map. Each highlights the place selected in the other. */
export function Places({ job }: { job: Job }) {
  const t = useTexts(placesTexts)
  const { params, set } = useFilters()
  const tiers = tiersIn(params)
  const { places, total, counts, error, retry } = usePlaces(job, tiers)
  if (job.status === 'failed') return <Empty title={t.failedJob} hint={t.failedJobHint} />
  if (!counts) return error ? <Failure error={error} retry={retry} /> : <Loading />
  if (job.result_count === 0 && total === 0 && tiers.length === 0) {
    if (!isActive(job)) return <Empty title={t.noneEnded} hint={t.noneEndedHint} />
    return (
      <Stack gap="md">
        <Empty title={t.none} hint={t.noneHint} />
        {hasParts(job) && <SearchedMap job={job} />}
      </Stack>
    )
  }
  return (
    <Stack gap="md">
      <TierFacets
        counts={counts}
        chosen={tiers}
        onChange={(chosen) => set({ web_presence: chosen.join(','), page: undefined })}
      />
      {total === 0 ? (
        <Empty title={t.noMatch} hint={t.noMatchHint} />
      ) : (
        <TableAndMap job={job} places={places} total={total} />
      )}
      {hasCoverage(job) && <CoverageInWords job={job} />}
      {places.length < total && <Failure error={error} retry={retry} />}
    </Stack>
  )
}

/** The parts of the area that a job has searched before its first place. */
function SearchedMap({ job }: { job: Job }) {
  const parts = useSearchedParts(job, true)
  if (parts === undefined || parts.features.length === 0) return null
  return (
    <Stack gap="sm">
      <PartsLegend />
      <Box className="places-map">
        <Suspense fallback={<Loading />}>
          <PlacesMap places={NO_PLACES} parts={parts} />
        </Suspense>
      </Box>
    </Stack>
  )
}

const NO_PLACES: Place[] = []

function TableAndMap({ job, places, total }: { job: Job; places: Place[]; total: number }) {
  const { params, set } = useFilters()
  const [pointed, setPointed] = useState<number>()
  const wide = useMediaQuery('(min-width: 1100px)') ?? true
  const wanted = params.get('view') ?? (wide ? 'both' : 'table')
  const view = wanted === 'both' && !wide ? 'table' : wanted
  const canShowParts = view !== 'table' && hasParts(job)
  const showsParts = canShowParts && (params.get('parts') ?? (isActive(job) ? '1' : '0')) === '1'
  const parts = useSearchedParts(job, showsParts)
  const { data } = job
  const area = useMemo(() => areaOf(data), [data])
  const page = Math.min(pageIn(params), Math.max(1, Math.ceil(places.length / ROWS)))
  const rows = useMemo(() => places.slice((page - 1) * ROWS, page * ROWS), [places, page])
  const open = useCallback(
    (id: number | undefined) => set({ place: id === undefined ? undefined : String(id) }, true),
    [set],
  )
  const selected = Number(params.get('place')) || undefined
  const opened = useOpened(places, selected)
  const choose = (id: number) => {
    const index = places.findIndex((place) => place.id === id)
    set({ place: String(id), page: String(Math.floor(Math.max(0, index) / ROWS) + 1) }, true)
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Shown page={page} loaded={places.length} total={total} />
        <Group gap="sm">
          {canShowParts && (
            <PartsSwitch shown={showsParts} onChange={(shown) => set({ parts: shown ? '1' : '0' }, true)} />
          )}
          <ViewChoice view={view} wide={wide} onChange={(value) => set({ view: value }, true)} />
        </Group>
      </Group>
      {showsParts && <PartsLegend />}
      <Box className={`places places-${view}`}>
        {view !== 'map' && <PlacesTable places={rows} selected={selected} onOpen={open} onPoint={setPointed} />}
        {view !== 'table' && (
          <Box className="places-map">
            <Suspense fallback={<Loading />}>
              <PlacesMap places={places} parts={parts} area={area} pointed={pointed ?? selected} onChoose={choose} />
            </Suspense>
          </Box>
        )}
      </Box>
      <Pager page={page} limit={ROWS} total={places.length} onChange={(to) => set({ page: String(to) }, true)} />
      <PlaceDetails place={opened} onClose={() => open(undefined)} />
    </Stack>
  )
}

/** Says which rows the page shows, or how many places are loaded so far. */
function Shown({ page, loaded, total }: { page: number; loaded: number; total: number }) {
  const t = useTexts(placesTexts)
  const { language } = useLanguage()
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {loaded < total
        ? t.loadingMore(count(loaded, language), total)
        : t.showing(count((page - 1) * ROWS + 1, language), count(Math.min(page * ROWS, total), language), total)}
    </Text>
  )
}

type ViewChoiceProps = { view: string; wide: boolean; onChange(view: string): void }

function ViewChoice({ view, wide, onChange }: ViewChoiceProps) {
  const t = useTexts(placesTexts)
  const views = (['both', 'table', 'map'] as const).filter((name) => wide || name !== 'both')
  return (
    <SegmentedControl
      size="xs"
      aria-label={t.view}
      value={view}
      onChange={onChange}
      data={views.map((value) => ({ value, label: t.views[value] }))}
    />
  )
}
