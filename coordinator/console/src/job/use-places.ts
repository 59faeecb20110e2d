import { useThrottledValue } from '@mantine/hooks'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { POLL_MS } from '../api/queries.ts'
import { isActive, JOBS_KEY, type Job } from '../jobs/job-queries.ts'

export type Place = Schemas['Result']

const LIMIT = 100

/**
 * Reads all places of a job with these tiers in pages of 100. Places keep their order, so a full page never changes,
 * and only the last page is read again when the job has stored more.
 */
export function usePlaces(job: Job, tiers: readonly WebPresence[]) {
  const web_presence = tiers.join(',')
  const key = [...JOBS_KEY, job.id, 'places', web_presence]
  const ask = (page: number, signal: AbortSignal) =>
    unwrap(
      api.GET('/api/v1/jobs/{id}/results', {
        params: { path: { id: job.id }, query: { page, limit: LIMIT, web_presence } },
        signal,
      }),
    )
  const first = useQuery({
    // The last page is read again when the job has ended, because it may have stored more places since.
    queryKey: [...key, 1, isActive(job) ? 'running' : 'ended'],
    queryFn: ({ signal }) => ask(1, signal),
    placeholderData: keepPreviousData,
    enabled: job.status !== 'failed',
  })
  const stored = useThrottledValue(job.result_count, POLL_MS)
  const { refetch } = first
  useEffect(() => {
    if (stored > 0) void refetch({ cancelRefetch: false })
  }, [stored, refetch])
  const total = first.data?.total ?? 0
  const pages = Math.max(0, Math.ceil(total / LIMIT) - 1)
  const further = useQueries({
    queries: Array.from({ length: first.isPlaceholderData ? 0 : pages }, (_, index) => {
      const page = index + 2
      const full = page * LIMIT <= total
      return {
        // An incomplete page has another cache key than the full page.
        queryKey: [...key, page, full ? 'full' : total],
        queryFn: ({ signal }: { signal: AbortSignal }) => ask(page, signal),
        staleTime: Number.POSITIVE_INFINITY,
      }
    }),
    combine: (results) => results.flatMap(({ data }) => data?.results ?? []),
  })
  const places = [...(first.data?.results ?? []), ...further]
  return { first, total, places, counts: first.data?.web_presence_counts }
}
