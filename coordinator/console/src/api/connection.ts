import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { CONNECTION_KEY } from './queries.ts'

const BEAT_MS = 3_000
const ANSWER_WITHIN_MS = 5_000

/**
 * Asks again and again whether the coordinator answers at all, so that also a page without polling notices an outage.
 * The cache reads everything again when it answers after an outage.
 */
export const connectionQuery = queryOptions({
  queryKey: CONNECTION_KEY,
  queryFn: ({ signal }) =>
    unwrap(api.GET('/livez', { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]) })),
  refetchInterval: BEAT_MS,
  staleTime: 0,
  retry: false,
})
