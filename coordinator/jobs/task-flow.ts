import type { ResultAppender } from '../results/append.ts'
import type { TaskNotifier } from '../tasks/notifier.ts'
import { plannedTasks, type References, userWindow } from '../tasks/plan.ts'
import type { TaskCounts, TaskStore } from '../tasks/store.ts'
import type { JobDocument } from './documents.ts'
import type { JobStore } from './store.ts'

export type TaskFlowDeps = {
  jobs: JobStore
  tasks: TaskStore
  references: References
  results: Pick<ResultAppender, 'seen'>
  notifier: TaskNotifier
  /** Roughly how many tasks the fleet can run at once. */
  slots(): number
}

/** How far a job's collecting is. */
export type Progress = { tasks: TaskCounts; references: number }

/** Makes the collect tasks for the references found so far. Gives the progress after that. */
export async function plan(deps: TaskFlowDeps, job: JobDocument): Promise<Progress> {
  const progress = await progressOf(deps, job._id)
  if (job.status !== 'running') return progress
  const { planned, searching } = progress.tasks
  const due = plannedTasks(progress.references, searching > 0)
  if (due <= planned) return progress
  const ordinals = Array.from({ length: due - planned }, (_, index) => planned + index)
  const { _id: job_id, user_id, demo } = job
  const tasks = ordinals.map((ordinal) => ({
    job_id,
    user_id,
    kind: 'collect' as const,
    ordinal,
    ...(demo && { demo }),
  }))
  await deps.tasks.create(tasks)
  return progressOf(deps, job_id)
}

async function progressOf({ tasks, references }: TaskFlowDeps, job_id: string): Promise<Progress> {
  // The tasks come first: a search that has ended has listed all its places, so the count below misses none.
  const counts = await tasks.counts(job_id)
  return { tasks: counts, references: await references.count(job_id) }
}

/** What a release did: how many tasks of the job wait in the queue now, and how many more its user may have there. */
export type Released = { unclaimed: number; room: number }

/** Moves as many waiting tasks to the queue as the windows and the job's cap allow. */
export async function release(
  { tasks, results, notifier, slots }: TaskFlowDeps,
  job: JobDocument,
  counts: TaskCounts,
): Promise<Released> {
  const unclaimed = counts.released
  if (counts.waiting.discover + counts.waiting.collect === 0) return { unclaimed: Infinity, room: 1 }
  const ofUser = await tasks.unclaimed(job.user_id)
  const released = await tasks.release(job._id, {
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
  return { unclaimed: unclaimed + released.length, room }
}

/** Writes how far a job is to its document, where the API reads it. */
export async function showProgress(deps: TaskFlowDeps, job: JobDocument, progress: Progress): Promise<void> {
  const { total, over } = progress.tasks
  const waiting = progress.tasks.running > 0 ? {} : await waitingFor(deps, job._id)
  const shown = { discovered: progress.references, tasks_total: total, tasks_done: over, ...waiting }
  const totals = deps.results.seen(job._id)
  const sums = await deps.tasks.sums(job._id)
  await deps.jobs.showProgress(job._id, { progress: shown, ...sums, ...(totals && { totals }) })
}

/** Why nothing of a job can go on, if so: the map site refuses all its tasks for now, or no agent takes any. */
async function waitingFor({ tasks, slots }: TaskFlowDeps, job_id: string): Promise<Partial<JobDocument['progress']>> {
  const until = await tasks.blockedUntil(job_id)
  if (until) return { waiting_until: until, waiting_reason: 'blocked' }
  return slots() === 0 ? { waiting_reason: 'no_agent' } : {}
}
