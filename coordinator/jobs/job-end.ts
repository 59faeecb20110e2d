import type { TaskFailure } from '../tasks/lease.ts'
import { plannedTasks } from '../tasks/plan.ts'
import type { TaskCounts } from '../tasks/store.ts'
import type { JobDocument } from './documents.ts'

/** How a job ends. */
export type JobEnd =
  | { status: 'completed'; partial?: true }
  | { status: 'failed'; failure_reason: string }
  | { status: 'cancelled' }

/** What decides whether a job is over. */
export type JobProgress = {
  tasks: Pick<TaskCounts, 'total' | 'over' | 'failed' | 'running' | 'searching' | 'planned'>
  /** Number of places that the job's searches listed. */
  references: number
  failures: TaskFailure[]
  /** Whether an aborting job has waited for its agents long enough. */
  abort_timed_out: boolean
}

/** The end of a job that the map site blocked up to its deadline, when nothing is stored. */
export const BLOCKED: JobEnd = {
  status: 'failed',
  failure_reason: 'blocked: the map site refused every exit up to max_time',
}

type Judged = Pick<JobDocument, 'status' | 'totals' | 'data' | 'spent'>

/**
 * Whether the job is over, and how it ends (DESIGN, "A job's life"). A job that stored a place never fails: `failed`
 * locks its results away.
 */
export function jobEnd(job: Judged, progress: JobProgress): JobEnd | undefined {
  const { tasks } = progress
  if (job.status === 'aborting') {
    return tasks.running === 0 || progress.abort_timed_out ? { status: 'cancelled' } : undefined
  }
  if (job.status !== 'running') return undefined
  if (job.totals.places >= job.data.max_results) return { status: 'completed' }
  if (job.spent) return { status: 'completed', partial: true }
  const unplanned = plannedTasks(progress.references, tasks.searching > 0) > tasks.planned
  if (tasks.total === 0 || tasks.over < tasks.total || unplanned) return undefined
  if (tasks.failed === 0) return { status: 'completed' }
  if (job.totals.places > 0) return { status: 'completed', partial: true }
  return { status: 'failed', failure_reason: failureReason(progress.failures) }
}

/**
 * Corrects an expected end by the number of stored places. The totals of a running job may lag: a coordinator may have
 * died after it stored a place and before it showed it.
 */
export function endGivenPlaces(end: JobEnd, places: number): JobEnd {
  return end.status === 'failed' && places > 0 ? { status: 'completed', partial: true } : end
}

/** The most frequent reason of the failed tasks, in the words of the latest task that gives it. */
function failureReason(failures: TaskFailure[]): string {
  const count = (code: string) => failures.filter((failure) => failure.code === code).length
  const [first] = failures.toReversed().sort((one, other) => count(other.code) - count(one.code))
  return first ? `${first.code}: ${first.message}` : 'source_unavailable: the tasks of this job failed'
}
