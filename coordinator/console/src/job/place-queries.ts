import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { ACTIVE_POLL_MS } from '../api/queries.ts'
import { isFull, PLACES_PER_PAGE } from './place-pages.ts'

export type Place = Schemas['Result']
/** The key of all pages of a job's places. It does not begin with that of jobs, because places never change. */
export const placesKey = (job_id: string, tiers: readonly WebPresence[]) => ['places', job_id, tiers.join(',')]

/** A page of a job's places with these tiers. */
export const placesQuery = (job_id: string, tiers: readonly WebPresence[], page: number) =>
  queryOptions({
    queryKey: [...placesKey(job_id, tiers), page],
    queryFn: ({ signal }) => {
      const query = { page, limit: PLACES_PER_PAGE, web_presence: tiers.join(',') }
      return unwrap(api.GET('/api/v1/jobs/{id}/results', { params: { path: { id: job_id }, query }, signal }))
    },
    staleTime: ({ state }) => (isFull(state.data) && page > 1 ? Number.POSITIVE_INFINITY : ACTIVE_POLL_MS),
  })
