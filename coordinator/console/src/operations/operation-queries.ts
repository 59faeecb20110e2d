import type { JobStatus } from '@placefleet/shared/job-status'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'
import { ACTIVE_POLL_MS, IDLE_POLL_MS } from '../api/queries.ts'
import { isActive } from '../jobs/job-rules.ts'

const OPERATIONS_KEY = ['operations']

export const USERS_KEY = [...OPERATIONS_KEY, 'users']

/** Support requests, newest first. */
export const supportQuery = queryOptions({
  queryKey: [...OPERATIONS_KEY, 'support'],
  queryFn: async () => (await unwrap(api.GET('/api/v1/admin/support'))).requests,
  refetchInterval: 30_000,
})

/** Tasks that failed in all their attempts, the latest first. */
export const deadTasksQuery = queryOptions({
  queryKey: [...OPERATIONS_KEY, 'dead'],
  queryFn: async () => (await unwrap(api.GET('/api/v1/admin/tasks/dead'))).tasks,
  refetchInterval: IDLE_POLL_MS,
})

/** A page of the users whose email contains `search`. */
export const usersQuery = (query: { search: string; page: number; limit: number }) =>
  queryOptions({
    queryKey: [...USERS_KEY, query],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/admin/users', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })

type AllJobsPage = { page: number; status?: JobStatus; user?: string }

/** A page of the jobs of all users, newest first. */
export const allJobsQuery = (query: AllJobsPage) =>
  queryOptions({
    queryKey: [...OPERATIONS_KEY, 'jobs', query],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/admin/jobs', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: IDLE_POLL_MS,
  })

/** A job of any user. */
export const anyJobQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATIONS_KEY, 'job', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/admin/jobs/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? ACTIVE_POLL_MS : false),
  })
