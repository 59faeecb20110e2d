import type { PartialReason } from '@placefleet/shared/job'
import type { TaskFailure } from '../tasks/documents.ts'
import { plannedTasks } from '../tasks/plan.ts'
import type { TaskCounts } from '../tasks/store.ts'
import type { JobDocument } from './documents.ts'
import type { AreaProgress } from './search-on.ts'

/** How a job ends. */
export type JobEnd =
  | { status: 'completed'; partial?: true; partial_reason?: PartialReason }
  | { status: 'failed'; failure_reason: string }
  | { status: 'cancelled'; cancel_reason: 'user' | 'timeout' }

/** The end of a job that the map site blocked until its deadline, when no place is stored. */
export const BLOCKED: JobEnd = {
  status: 'failed',
  failure_reason: 'blocked: the map site refused every address and proxy up to max_time',
}

/** The end of a job that no connected agent could take for so many hours. */
export const withoutAgent = (hours: number): JobEnd => ({
  status: 'failed',
  failure_reason: `no_agent: for ${hours} ${hours === 1 ? 'hour' : 'hours'} no connected agent could take this job; nothing was billed`,
})

/** The end of a job whose next place would cost more than the rest of its hold. */
export const SPENT: JobEnd = { status: 'completed', partial: true, partial_reason: 'max_cost' }

/** The end of a job that was to exhaust its area, at its deadline or at its cap. */
export const OUT_OF_TIME: JobEnd = { status: 'completed', partial: true, partial_reason: 'max_time' }
const FULL: JobEnd = { status: 'completed', partial: true, partial_reason: 'max_results' }

/** The end of a job some of whose tasks failed, or whose area was not answered for everywhere. */
const PARTLY_BLOCKED: JobEnd = { status: 'completed', partial: true, partial_reason: 'blocked' }

/**
 * Corrects a decided end, given the number of places in the sealed chain. The totals of a running job may lag: a
 * coordinator may have died after it stored a place and before it updated the totals.
 */
export function endGivenPlaces(end: JobEnd, places: number): JobEnd {
  return end.status === 'failed' && places > 0 ? PARTLY_BLOCKED : end
}

export function decidedEnd({ _id, end, failure_reason, cancel_reason, ...job }: JobDocument): JobEnd {
  const { partial, partial_reason } = job
  if (end === 'completed')
    return { status: end, ...(partial && { partial }), ...(partial_reason && { partial_reason }) }
  if (end === 'failed') return { status: end, failure_reason: failure_reason ?? UNKNOWN_FAILURE }
  if (end === 'cancelled' && cancel_reason) return { status: end, cancel_reason }
  throw new Error(`the end of the job ${_id} is not decided`)
}

/** Why a job failed that was to exhaust its area, when no search was answered. */
const NO_ANSWER = 'blocked: the map site answered for no part of the area'

/** Why a job failed whose tasks left no reason. */
const UNKNOWN_FAILURE = 'source_unavailable: the tasks of this job failed'

/** What decides whether a job ends. */
export type EndInputs = {
  tasks: Pick<TaskCounts, 'total' | 'ended' | 'failed' | 'running' | 'searching' | 'planned'>
  /** The number of places that the job's searches listed. */
  references: number
  failures: TaskFailure[]
  /** Of a job that exhausts its area. */
  area?: AreaProgress
}

type EndingJob = Pick<JobDocument, 'phase' | 'totals' | 'data' | 'task_size'>

/** Whether a job has all places that its user wants. */
export const isFull = ({ totals, data }: EndingJob): boolean => totals.places >= data.max_results

/** Whether the searches of a job may list more places. */
export const isSearching = ({ tasks, area }: Pick<EndInputs, 'tasks' | 'area'>): boolean =>
  tasks.searching > 0 || area?.more === true

/**
 * Returns the end of a running job, or undefined while it continues. A job that stored a place never
 * fails, because users cannot read the results of failed jobs.
 */
export function jobEnd(job: EndingJob, inputs: EndInputs): JobEnd | undefined {
  const { tasks } = inputs
  if (job.phase !== 'running') return undefined
  const unplanned = plannedTasks(inputs.references, job.task_size, isSearching(inputs)) > tasks.planned
  const isDone = tasks.total > 0 && tasks.ended === tasks.total && !unplanned && !inputs.area?.more
  if (isFull(job) && !(isDone && inputs.area)) return inputs.area ? FULL : { status: 'completed' }
  if (!isDone) return undefined
  if (tasks.failed === 0 && !inputs.area?.blocked) return { status: 'completed' }
  if (job.totals.places > 0) return PARTLY_BLOCKED
  return { status: 'failed', failure_reason: failureReason(inputs) }
}

/** Returns the most frequent failure of the tasks, with the message of its latest occurrence. */
function failureReason({ failures, area }: EndInputs): string {
  const count = (code: string) => failures.filter((failure) => failure.code === code).length
  const [first] = failures.toReversed().sort((one, other) => count(other.code) - count(one.code))
  if (first) return `${first.code}: ${first.message}`
  return area?.blocked ? NO_ANSWER : UNKNOWN_FAILURE
}
