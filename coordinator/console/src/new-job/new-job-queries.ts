import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'

/** The towns whose names begin with `search`. */
export const townsQuery = (search: string) =>
  queryOptions({
    queryKey: ['towns', search],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/towns', { params: { query: { search } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })

/** The estimate of a job, given its request as JSON. */
export const estimateQuery = (request: string) =>
  queryOptions({
    queryKey: ['estimate', request],
    queryFn: ({ signal }) => unwrap(api.POST('/api/v1/jobs/estimates', { body: JSON.parse(request), signal })),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
