import { LRUCache } from 'lru-cache'
import type { ResultAppender } from '../results/append.ts'
import type { TaskFailure } from '../tasks/lease.ts'
import type { TaskNotifier } from '../tasks/notifier.ts'
import { plannedTasks, type References, userWindow } from '../tasks/plan.ts'
import type { TaskCounts, TaskStore, TaskSums } from '../tasks/store.ts'
import type { JobDocument } from './documents.ts'
import type { JobStore } from './store.ts'

export type ProgressDeps = {
  jobs: JobStore
  tasks: TaskStore
  countListed: CountListed
  results: Pick<ResultAppender, 'seen'>
  notifier: TaskNotifier
  /** Roughly how many tasks the fleet can run at once. */
  slots(): number
}

/** How far a job's collecting is, and what its tasks counted when that was asked for. */
export type Progress = { tasks: TaskCounts; sums: TaskSums | undefined; references: number }

/** Jobs whose listed places are remembered. One that is forgotten costs a query more. */
const MAX_LISTED = 5_000

/** Other jobs tried after a claim, until one has a task to release. A job whose cap is nearly reached may have none. */
const OTHERS_TRIED = 3

/** How many places the searches of a job listed, given its tasks. */
export type CountListed = (job_id: string, tasks: TaskCounts) => Promise<number>

/**
 * Counts listed places. Once no search is open their number cannot change, and it is remembered; it is counted again
 * when all tasks are over, since a failed search may have been tried again meanwhile.
 */
export function createListedCount(references: References): CountListed {
  const final = new LRUCache<string, number>({ max: MAX_LISTED })
  return async (job_id, { searching, over, total }) => {
    const known = searching === 0 && over < total ? final.get(job_id) : undefined
    if (known !== undefined) return known
    const count = await references.count(job_id)
    if (searching === 0) final.set(job_id, count)
    else final.delete(job_id)
    return count
  }
}

/** Makes the collect tasks for the references found so far. Gives the progress after that. */
export async function plan(deps: ProgressDeps, job: JobDocument, withSums: boolean): Promise<Progress> {
  const { _id: job_id, user_id, demo } = job
  // The tasks come first: a search that has ended has listed all its places, so the count below misses none.
  const summary = withSums ? await deps.tasks.summary(job_id) : undefined
  const tasks: TaskCounts = summary ?? (await deps.tasks.counts(job_id))
  const references = await deps.countListed(job_id, tasks)
  const sums = summary && { outcomes: summary.outcomes, website_visits: summary.website_visits }
  const progress = { tasks, sums, references }
  const due = plannedTasks(references, tasks.searching > 0)
  if (job.status !== 'running' || due <= tasks.planned) return progress
  const ordinals = Array.from({ length: due - tasks.planned }, (_, index) => tasks.planned + index)
  const common = { job_id, user_id, kind: 'collect' as const, ...(demo && { demo }) }
  await deps.tasks.create(ordinals.map((ordinal) => ({ ...common, ordinal })))
  const waiting = { ...tasks.waiting, collect: tasks.waiting.collect + ordinals.length }
  return { ...progress, tasks: { ...tasks, total: tasks.total + ordinals.length, planned: due, waiting } }
}

/**
 * What a release did: how many tasks of the job wait in the queue now, how many more its user may have there, and when the
 * next task may go if some must wait longer.
 */
export type Released = { unclaimed: number; room: number; nextInMs?: number | undefined }

/** Moves as many waiting tasks to the queue as the windows and the job's cap allow. */
export async function release(
  { tasks, results, notifier, slots }: ProgressDeps,
  job: JobDocument,
  counts: TaskCounts,
): Promise<Released> {
  const unclaimed = counts.released
  if (counts.waiting.discover + counts.waiting.collect === 0) return { unclaimed: Infinity, room: 1 }
  const ofUser = await tasks.unclaimed(job.user_id)
  const { released, nextInMs } = await tasks.release(job._id, {
    unclaimed: { job: unclaimed, user: ofUser },
    slots: slots(),
    paid: job.paid,
    waiting: counts.waiting,
    collecting: counts.collecting,
    wanted: job.data.max_results - Math.max(job.totals.places, results.seen(job._id)?.places ?? 0),
    filtered: job.data.website_filter !== 'all',
  })
  await Promise.all(released.map((task) => notifier.notify(task)))
  const room = userWindow(slots(), job.paid) - ofUser - released.length
  return { unclaimed: unclaimed + released.length, room, nextInMs }
}

/** Gives the room in a user's window to other jobs of the user. */
export async function releaseOtherJobs(
  { tasks }: Pick<ProgressDeps, 'tasks'>,
  { _id, user_id }: JobDocument,
  room: number,
  reconcile: (job_id: string) => Promise<void>,
): Promise<void> {
  const others = (await tasks.waitingJobs(user_id)).filter((other) => other !== _id)
  for (const job_id of sample(others, Math.min(OTHERS_TRIED, room))) await reconcile(job_id)
}

/** Writes how far a job is to its document, where the API reads it. */
export async function showProgress(deps: ProgressDeps, job: JobDocument, progress: Progress): Promise<void> {
  const { total, over } = progress.tasks
  const waiting = progress.tasks.running > 0 ? {} : await waitingFor(deps, job._id)
  const shown = { discovered: progress.references, tasks_total: total, tasks_done: over, ...waiting }
  const totals = deps.results.seen(job._id)
  await deps.jobs.showProgress(job._id, { progress: shown, ...progress.sums, ...(totals && { totals }) })
}

/** Why nothing of a job can go on, if so: the map site refuses all its tasks for now, or no agent takes any. */
async function waitingFor({ tasks, slots }: ProgressDeps, job_id: string): Promise<Partial<JobDocument['progress']>> {
  const until = await tasks.blockedUntil(job_id)
  if (until) return { waiting_until: until, waiting_reason: 'blocked' }
  return slots() === 0 ? { waiting_reason: 'no_agent' } : {}
}

/** How a job ends. */
export type JobEnd =
  | { status: 'completed'; partial?: true }
  | { status: 'failed'; failure_reason: string }
  | { status: 'cancelled' }

/** What decides whether a job is over. */
export type EndFacts = {
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

/** Asks for what decides whether a job is over. */
export async function endFacts({ jobs, tasks }: ProgressDeps, job: JobDocument, progress: Progress): Promise<EndFacts> {
  return {
    ...progress,
    failures: progress.tasks.failed > 0 ? await tasks.failures(job._id) : [],
    abort_timed_out: job.status === 'aborting' && (await jobs.abortTimedOut(job._id)),
  }
}

/**
 * Whether the job is over, and how it ends (DESIGN, "A job's life"). A job that stored a place never fails: `failed`
 * locks its results away.
 */
export function jobEnd(job: Judged, facts: EndFacts): JobEnd | undefined {
  const { tasks } = facts
  if (job.status === 'aborting') {
    return tasks.running === 0 || facts.abort_timed_out ? { status: 'cancelled' } : undefined
  }
  if (job.status !== 'running') return undefined
  if (job.totals.places >= job.data.max_results) return { status: 'completed' }
  if (job.spent) return { status: 'completed', partial: true }
  const unplanned = plannedTasks(facts.references, tasks.searching > 0) > tasks.planned
  if (tasks.total === 0 || tasks.over < tasks.total || unplanned) return undefined
  if (tasks.failed === 0) return { status: 'completed' }
  if (job.totals.places > 0) return { status: 'completed', partial: true }
  return { status: 'failed', failure_reason: failureReason(facts.failures) }
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

/** A random choice of `count` items. */
function sample<Item>(items: Item[], count: number): Item[] {
  const left = [...items]
  return Array.from({ length: Math.min(count, items.length) }, () => {
    return left.splice(Math.floor(Math.random() * left.length), 1)
  }).flat()
}
