import { jobParts } from '@placefleet/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'
import { sumOfEstimates } from './estimate-sum.ts'

/** The towns whose names begin with `search`. */
export const townsQuery = (search: string) =>
  queryOptions({
    queryKey: ['towns', search],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/towns', { params: { query: { search } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })

/** The estimate of a job, given its request as JSON: of all its parts, when it has more places than one job names. */
export const estimateQuery = (request: string) =>
  queryOptions({
    queryKey: ['estimate', request],
    queryFn: async ({ signal }) => {
      const parts = jobParts(JSON.parse(request))
      const answers = parts.map((body) => unwrap(api.POST('/api/v1/jobs/estimates', { body, signal })))
      return sumOfEstimates(await Promise.all(answers))
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
