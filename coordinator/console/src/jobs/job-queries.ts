import type { operations } from '@placefleet/client/schema'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { ACTIVE_POLL_MS, IDLE_POLL_MS } from '../api/queries.ts'
import { useAction } from '../parts/use-action.ts'
import { isActive } from './job-rules.ts'

export type Job = Schemas['Job']

/** The key of everything that changes with a job: lists of jobs, the job, its costs. */
export const JOBS_KEY = ['jobs']

type JobsPage = NonNullable<operations['listJobs']['parameters']['query']>

/** A page of the user's jobs. It is read more often while one of them is active. */
export const jobsQuery = (query: JobsPage) =>
  queryOptions({
    queryKey: [...JOBS_KEY, 'list', query],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/jobs', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.jobs.some(isActive) ? ACTIVE_POLL_MS : IDLE_POLL_MS),
  })

/** The first page of jobs, with one job. */
export const latestJobQuery = queryOptions({
  queryKey: [...JOBS_KEY, 'latest'],
  queryFn: () => unwrap(api.GET('/api/v1/jobs', { params: { query: { limit: 1 } } })),
})

export const figuresQuery = queryOptions({
  queryKey: [...JOBS_KEY, 'figures'],
  queryFn: () => unwrap(api.GET('/api/v1/dashboard', { params: { query: { limit: 1 } } })),
  refetchInterval: IDLE_POLL_MS,
})

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: [...JOBS_KEY, id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/jobs/{id}', { params: { path: { id } }, signal })),
  })

/** The costs of a job so far, and the credits held for it. */
export const costsQuery = (id: string) =>
  queryOptions({
    queryKey: [...JOBS_KEY, id, 'costs'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/jobs/{id}/costs', { params: { path: { id } }, signal })),
  })

/** How completely a job searched its area. */
export const coverageQuery = (id: string) =>
  queryOptions({
    queryKey: [...JOBS_KEY, id, 'coverage'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/jobs/{id}/coverage', { params: { path: { id } }, signal })),
  })

/** The parts of the area that a job searched. */
export const cellsQuery = (id: string) =>
  queryOptions({
    queryKey: [...JOBS_KEY, id, 'cells'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/jobs/{id}/coverage', { params: { path: { id }, query: { format: 'geojson' } }, signal })),
  })

export const useCancelJob = () =>
  useAction((id: string) => unwrap(api.POST('/api/v1/jobs/{id}/cancel', { params: { path: { id } } })), JOBS_KEY)

/** Creates a job like this one, without its proxies, and returns the new id. */
export const useRunAgain = () =>
  useAction(async (job: Job) => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    return (await unwrap(api.POST('/api/v1/jobs', { body: requestOfJob(job), headers }))).id
  }, JOBS_KEY)

function requestOfJob({ name, data }: Job): Schemas['CreateJobRequest'] {
  const { proxy_count: _, ...request } = data
  return { name, ...request }
}
