import { useThrottledValue } from '@mantine/hooks'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import { keepPreviousData, queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { ACTIVE_POLL_MS } from '../api/queries.ts'
import type { Job } from '../jobs/job-queries.ts'
import { isActive } from '../jobs/job-rules.ts'
import { furtherPages, isFull, joined, PLACES_PER_PAGE } from './place-pages.ts'

export type Place = Schemas['Result']
/** The key of all pages of a job's places. It does not begin with that of jobs, because places never change. */
const placesKey = (job_id: string, tiers: readonly WebPresence[]) => ['places', job_id, tiers.join(',')]

/** A page of a job's places with these tiers. */
const placesQuery = (job_id: string, tiers: readonly WebPresence[], page: number) =>
  queryOptions({
    queryKey: [...placesKey(job_id, tiers), page],
    queryFn: ({ signal }) => {
      const query = { page, limit: PLACES_PER_PAGE, web_presence: tiers.join(',') }
      return unwrap(api.GET('/api/v1/jobs/{id}/results', { params: { path: { id: job_id }, query }, signal }))
    },
    staleTime: ({ state }) => (isFull(state.data) && page > 1 ? Number.POSITIVE_INFINITY : ACTIVE_POLL_MS),
  })

/**
 * Reads all places of a job with these tiers, page after page. The list only grows: what is shown keeps its position
 * while the job stores more places. A full page is never read again, except for the first, which has the counts.
 */
export function usePlaces(job: Job, tiers: readonly WebPresence[]) {
  const queries = useQueryClient()
  const first = useQuery({
    ...placesQuery(job.id, tiers, 1),
    placeholderData: keepPreviousData,
    enabled: job.status !== 'failed',
  })
  const total = first.data?.total ?? 0
  const dataOf = (page: number) => queries.getQueryData(placesQuery(job.id, tiers, page).queryKey)
  const pages = furtherPages(first.isPlaceholderData ? 0 : total, dataOf)
  const further = useQueries({
    queries: pages.map(({ page, enabled }) => ({ ...placesQuery(job.id, tiers, page), enabled })),
    combine: joined,
  })
  const readOn = useEffectEvent(() => {
    for (const page of [1, ...pages.filter(({ page }) => !isFull(dataOf(page))).map(({ page }) => page)]) {
      const { queryKey } = placesQuery(job.id, tiers, page)
      void queries.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false })
    }
  })
  const stored = useThrottledValue(job.result_count, ACTIVE_POLL_MS)
  const active = isActive(job)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each says that there may be more places
  useEffect(() => readOn(), [stored, active])
  const results = first.data?.results
  const places = useMemo(() => [...(results ?? []), ...further.places], [results, further.places])
  const retry = () => void queries.refetchQueries({ queryKey: placesKey(job.id, tiers), type: 'active' })
  return { places, total, counts: first.data?.web_presence_counts, error: first.error ?? further.error, retry }
}
