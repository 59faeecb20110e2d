import type { operations } from '@placefleet/client/schema'
import type { Schemas } from '../api/client.ts'

type Job = Schemas['Job']

export const isActive = ({ status }: Pick<Job, 'status'>): boolean =>
  ['pending', 'running', 'aborting'].includes(status)

type Ended = Pick<Job, 'status' | 'partial' | 'result_count'> & { data: Pick<Job['data'], 'demo'> }

/**
 * Returns whether a job ended before it had all its places. Those that it stored are known now, so a job for new places
 * collects the rest. A demo job knows none.
 */
export const hasRest = ({ status, partial, result_count, data }: Ended): boolean =>
  !data.demo && result_count > 0 && (status === 'cancelled' || (status === 'completed' && partial === true))

type ListQuery = NonNullable<operations['listJobs']['parameters']['query']>

const FIELDS = ['name', 'status', 'created_at'] as const satisfies NonNullable<ListQuery['sort']>[]

/** The order of the list of jobs, as the API takes it. */
export type JobOrder = { sort: (typeof FIELDS)[number]; order: NonNullable<ListQuery['order']> }

const NEWEST_FIRST: JobOrder = { sort: 'created_at', order: 'desc' }

/** Returns the order in the page's URL, such as `name:asc`; the newest first when it is missing or unknown. */
export function orderIn(params: URLSearchParams): JobOrder {
  const [field, direction] = params.get('sort')?.split(':') ?? []
  const sort = FIELDS.find((known) => known === field)
  return sort ? { sort, order: direction === 'desc' ? 'desc' : 'asc' } : NEWEST_FIRST
}

/** Returns the order in the URL after a click on the head of a field: ascending, then descending, and so on. */
export const nextOrder = (now: JobOrder, field: string): string =>
  `${field}:${now.sort === field && now.order === 'asc' ? 'desc' : 'asc'}`
