import { canFail, type Logger } from '@placefleet/shared/log'
import type { Leases } from '../tasks/lease.ts'
import type { TaskNotifier } from '../tasks/notifier.ts'
import type { TaskStore } from '../tasks/store.ts'
import type { Timings } from '../timings.ts'
import type { JobDocument } from './documents.ts'
import type { DueJobs } from './due-jobs.ts'
import type { JobEngine } from './engine.ts'
import { IN_CREATION } from './phase.ts'
import type { JobCreations } from './store.ts'

/** How often every coordinator looks for jobs past their deadline and for expired leases. */
export const DEADLINE_MS = 1_000

/** The most jobs in one sweep. The next sweep takes the others. */
const BATCH = 1_000

/** How many jobs one coordinator sweeps, ends or reconciles at the same time. */
const AT_ONCE = 4

export type SweepDeps = {
  log: Logger
  jobs: DueJobs & Pick<JobCreations, 'isStalledCreation'>
  tasks: TaskStore
  leases: Leases
  notifier: TaskNotifier
  engine: JobEngine
  timings: Timings
  /** Rolls back an interrupted creation. */
  rollbackCreation(job: JobDocument): Promise<unknown>
}

/**
 * Repairs whatever is stuck: waiting tasks, lost messages, and unfinished creations, ends and deletions. Coordinators
 * share the due jobs: each claims one at a time. A failure is logged and does not stop the sweep of the other jobs.
 */
export async function sweepOnce(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  await canFail(deps.log, 'notifying the fleet again', notifyAgain(deps))
  let left = BATCH
  const work = async () => {
    while (left-- > 0 && !signal.aborted) {
      const job = await deps.jobs.takeDue()
      if (!job) return
      await canFail(deps.log, `sweeping the job ${job._id}`, sweepJob(deps, job))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

async function sweepJob({ jobs, engine, rollbackCreation }: SweepDeps, job: JobDocument): Promise<void> {
  if (!IN_CREATION.includes(job.phase)) return engine.reconcile(job._id)
  if (await jobs.isStalledCreation(job._id)) await rollbackCreation(job)
}

/**
 * Aborts running jobs past their `max_time`, ends aborting jobs whose agents did not stop in time, and takes tasks from
 * agents whose leases have expired. The three go side by side: a job whose messages the fleet's queue does not take
 * delays no other one.
 */
export async function enforceDeadlines(deps: Pick<SweepDeps, 'log' | 'jobs' | 'engine' | 'leases'>): Promise<void> {
  const { log, jobs, engine, leases } = deps
  const abort = (job_id: string) =>
    canFail(log, `ending the job ${job_id} at its deadline`, engine.abort(job_id, 'timeout'))
  const reconcile = (job_id: string) => canFail(log, `reconciling the job ${job_id}`, engine.reconcile(job_id))
  await Promise.all([
    someAtOnce(jobs.pastDeadline(), abort),
    someAtOnce(jobs.abortTimeouts(), reconcile),
    someAtOnce(leases.expire(), reconcile),
  ])
}

async function someAtOnce(listing: Promise<string[]>, run: (job_id: string) => Promise<unknown>): Promise<void> {
  const job_ids = (await listing).values()
  const work = async () => {
    for (const job_id of job_ids) await run(job_id)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/**
 * Notifies the fleet again of tasks that no agent claimed. An empty queue means that their messages were lost, so the
 * wait is short. While messages wait in the queue, theirs may be among them, so the wait is longer.
 */
async function notifyAgain({ tasks, notifier, timings }: SweepDeps): Promise<void> {
  const waiting = await notifier.waiting()
  if (waiting === undefined) return
  const { emptyQueue, busyQueue } = timings.notifyAgainMs
  for (const task of await tasks.overdue(waiting === 0 ? emptyQueue : busyQueue)) await notifier.notify(task)
}
