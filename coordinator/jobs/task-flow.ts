import type { TaskNotifier } from '../tasks/notifier.ts'
import { plannedTasks } from '../tasks/plan.ts'
import type { References } from '../tasks/references.ts'
import type { TaskStore, TaskSummary } from '../tasks/store.ts'
import type { JobDocument } from './documents.ts'
import type { JobStore } from './store.ts'

export type TaskFlowDeps = {
  jobs: JobStore
  tasks: TaskStore
  references: References
  notifier: TaskNotifier
  /** Roughly how many tasks the fleet can run at once. */
  slots(): number
}

/** How far a job's collecting is. */
export type Progress = { tasks: TaskSummary; references: number }

/** Makes the collect tasks for the references found so far. Gives the progress after that. */
export async function plan(deps: TaskFlowDeps, job: JobDocument): Promise<Progress> {
  const progress = await progressOf(deps, job._id)
  if (job.status !== 'running') return progress
  const { planned, searching } = progress.tasks
  const due = plannedTasks(progress.references, searching > 0)
  if (due <= planned) return progress
  const ordinals = Array.from({ length: due - planned }, (_, index) => planned + index)
  const { _id: job_id, user_id } = job
  await deps.tasks.create(ordinals.map((ordinal) => ({ job_id, user_id, kind: 'collect', ordinal })))
  return progressOf(deps, job_id)
}

/** Where a job's tasks and references stand. */
export async function progressOf(
  { tasks, references }: Pick<TaskFlowDeps, 'tasks' | 'references'>,
  job_id: string,
): Promise<Progress> {
  // The tasks come first: a search that has ended has listed all its places, so the count below misses none.
  const summary = await tasks.summary(job_id)
  return { tasks: summary, references: await references.count(job_id) }
}

/** Moves as many waiting tasks to the queue as the windows and the job's cap allow. */
export async function release(
  { tasks, notifier, slots }: TaskFlowDeps,
  job: JobDocument,
  summary: TaskSummary,
): Promise<void> {
  if (summary.over === summary.total) return
  const released = await tasks.release(job._id, {
    unclaimed: {
      job: await tasks.unclaimed({ job_id: job._id }),
      user: await tasks.unclaimed({ user_id: job.user_id }),
    },
    slots: slots(),
    paid: job.paid,
    collecting: summary.collecting,
    wanted: job.data.max_results - job.totals.places,
    filtered: job.data.website_filter !== 'all',
  })
  await Promise.all(released.map((task) => notifier.notify(task)))
}

/** Writes a job's progress to its document, where the API reads it. */
export async function showProgress(
  { jobs }: TaskFlowDeps,
  job: JobDocument,
  { tasks, references }: Progress,
): Promise<void> {
  const progress = { discovered: references, tasks_total: tasks.total, tasks_done: tasks.over }
  const { outcomes, website_visits } = tasks
  await jobs.setProgress(job._id, progress, { outcomes, website_visits })
}
