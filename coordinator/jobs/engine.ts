import { isFinal } from '@placefleet/shared/job-status'
import { canFail } from '@placefleet/shared/log'
import { createSerial } from '../mongo/serial.ts'
import { userWindow } from '../tasks/plan.ts'
import type { JobDocument } from './documents.ts'
import { createFinisher, type FinishDeps } from './finish.ts'
import { jobEnd } from './job-end.ts'
import { type Progress, plan, release, showProgress, type TaskFlowDeps } from './task-flow.ts'

/** Other jobs tried after a claim, until one has a task to release. A job whose cap is nearly reached may have none. */
const OTHERS_TRIED = 3

export type EngineDeps = TaskFlowDeps & FinishDeps

/** Drives jobs through their lives. Every step is safe to repeat, so a process may die between any two steps. */
export type JobEngine = {
  /**
   * Compares a job with what it should be by now, and does what is missing: ends a job that was deleted, plans tasks,
   * releases them, shows progress, ends the job, closes it, removes its data once it is deleted. Call it after any change of a job; the sweeper calls
   * it when nobody else did. Calls for one job wait for one another.
   */
  reconcile(job_id: string): Promise<void>
  /** Reconciles a job after a claim, then gives the free room in the queue to its user's other jobs. */
  taskClaimed(job: JobDocument): Promise<void>
  /** Starts a pending job whose first task was claimed. */
  start(job: JobDocument): Promise<void>
  /** Starts to end a running job early. False: it was not running. */
  abort(job_id: string, reason: 'user' | 'timeout'): Promise<boolean>
  /** Cancels a pending job, or starts to end a running one, for its user. False: its status has changed. */
  endEarly(job: JobDocument): Promise<boolean>
}

/** The engine over its dependencies. */
export function createJobEngine(deps: EngineDeps): JobEngine {
  const { jobs, tasks } = deps
  const serial = createSerial()
  const finisher = createFinisher(deps)

  const startAbort = async (job_id: string, reason: 'user' | 'timeout'): Promise<boolean> => {
    const aborting = await jobs.move(job_id, 'running', 'aborting', { cancel_reason: reason, aborted_at: '$$NOW' })
    if (!aborting) return false
    await tasks.cancel(job_id, ['waiting', 'released'])
    deps.announceEnd(job_id)
    return true
  }

  const endEarly = async ({ _id, status }: JobDocument): Promise<boolean> => {
    if (status !== 'pending') return startAbort(_id, 'user')
    return (await jobs.move(_id, 'pending', 'cancelled', { cancel_reason: 'user', total_cost: 0 })) !== undefined
  }

  const reconcileNow = async (job_id: string): Promise<void> => {
    const job = await jobs.find(job_id)
    if (!job || (!job.listed && !job.deleted_at)) return
    if (isFinal(job.status)) return finisher.close(job)
    // A process that died while it deleted the job hid it, and left it running.
    if (job.deleted_at && job.status !== 'aborting') {
      await endEarly(job)
      return reconcileNow(job_id)
    }
    const progress = await plan(deps, job)
    if (job.status !== 'aborting') await release(deps, job, progress.tasks)
    await showProgress(deps, job, progress)
    const end = jobEnd(job, await endFacts(deps, job, progress))
    if (end) await finisher.finish(job, end)
  }
  const reconcile = (job_id: string) => serial(job_id, () => reconcileNow(job_id))

  return {
    reconcile,
    async taskClaimed(job) {
      await reconcile(job._id)
      void canFail(deps.log, "releasing tasks of a user's other jobs", releaseOtherJobs(deps, job, reconcile))
    },
    async start(job) {
      const started = await jobs.start(job._id)
      if (!started) return
      const price = job.prices.job_start
      await deps.holds.chargeStart({ user_id: job.user_id, job_id: job._id, job_name: job.name, price })
    },
    async abort(job_id, reason) {
      const aborting = await startAbort(job_id, reason)
      if (aborting) await reconcile(job_id)
      return aborting
    },
    async endEarly(job) {
      const ending = await endEarly(job)
      if (ending) await reconcile(job._id)
      return ending
    },
  }
}

/** Releases tasks of the user's other jobs while the user's window in the queue has room. */
async function releaseOtherJobs(
  { tasks, slots }: EngineDeps,
  { _id, user_id, paid }: JobDocument,
  reconcile: (job_id: string) => Promise<void>,
): Promise<void> {
  const others = (await tasks.waitingJobs(user_id)).filter((other) => other !== _id)
  for (const job_id of sample(others, OTHERS_TRIED)) {
    if ((await tasks.unclaimed({ user_id })) >= userWindow(slots(), paid)) return
    await reconcile(job_id)
  }
}

/** What decides whether a job is over. */
async function endFacts({ jobs, tasks }: EngineDeps, job: JobDocument, progress: Progress) {
  return {
    ...progress,
    failures: progress.tasks.failed > 0 ? await tasks.failures(job._id) : [],
    abort_timed_out: job.status === 'aborting' && (await jobs.abortTimedOut(job._id)),
  }
}

/** A random choice of `count` items. */
function sample<Item>(items: Item[], count: number): Item[] {
  const left = [...items]
  return Array.from({ length: Math.min(count, items.length) }, () => {
    return left.splice(Math.floor(Math.random() * left.length), 1)
  }).flat()
}
