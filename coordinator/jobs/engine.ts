import { isFinal } from '@placefleet/shared/job-status'
import { canFail } from '@placefleet/shared/log'
import { createSerial } from '../mongo/locks.ts'
import type { ResultTotals } from '../results/documents.ts'
import type { JobDocument } from './documents.ts'
import { createFinisher, type FinishDeps } from './finish.ts'
import { BLOCKED, jobEnd } from './job-end.ts'
import { createJobPace } from './pace.ts'
import { createListedCount, type Progress, plan, release, showProgress, type TaskFlowDeps } from './task-flow.ts'

/** Other jobs tried after a claim, until one has a task to release. A job whose cap is nearly reached may have none. */
const OTHERS_TRIED = 3

export type EngineDeps = Omit<TaskFlowDeps, 'countListed'> & FinishDeps

/** Drives jobs through their lives. Every step is safe to repeat, so a process may die between any two steps. */
export type JobEngine = {
  /**
   * Compares a job with what it should be by now, and does what is missing: plans tasks, releases them, shows progress,
   * ends the job, closes it, removes its data once it is deleted. Call it after any change of a job; the sweeper calls
   * it when nobody else did. Calls for one job wait for one another.
   */
  reconcile(job_id: string): Promise<void>
  /** Says that a task of a job was claimed. The job is reconciled soon, and so are its user's other jobs. */
  taskClaimed(job_id: string): void
  /** Says that a task of a job ended, that an agent gave one back, or that a search listed places. The job is reconciled soon. */
  taskEnded(job_id: string): void
  taskReturned(job_id: string): void
  placesListed(job_id: string): void
  /** Says that a job takes no more places, and ends it. */
  resultsEnded(job_id: string, totals: ResultTotals, spent: boolean): Promise<void>
  /** Starts a pending job whose first task was claimed. Undefined: it is not pending. */
  start(job: JobDocument): Promise<JobDocument | undefined>
  /** Starts to end a running job early. False: it was not running. */
  abort(job_id: string, reason: 'user' | 'timeout'): Promise<boolean>
  /** Cancels a pending job, or starts to end a running one, for its user. False: its status has changed. */
  endEarly(job: JobDocument): Promise<boolean>
}

/** The engine over its dependencies. */
export function createJobEngine(deps: EngineDeps): JobEngine {
  const { jobs, log } = deps
  const flow: TaskFlowDeps = { ...deps, countListed: createListedCount(deps.references) }
  const serial = createSerial()
  const finisher = createFinisher(deps)
  const reconcile = (job_id: string) => serial(job_id, async () => void (await pass(job_id)))
  const soon = (job_id: string) => void canFail(log, 'moving a job on', passAndShare(job_id))
  const pace = createJobPace(soon)

  const passAndShare = async (job_id: string) => {
    const shared = await serial(job_id, () => pass(job_id))
    if (shared && shared.room > 0) await releaseOtherJobs(deps, shared.job, shared.room, reconcile)
  }

  /** Does what is due for a job. Gives the job and the room in its user's window, when it may release tasks. */
  const pass = async (job_id: string): Promise<{ job: JobDocument; room: number } | undefined> => {
    const job = await jobs.find(job_id)
    if (!job || (!job.listed && !job.deleted_at)) return undefined
    if (isFinal(job.status)) {
      pace.forget(job_id)
      await finisher.close(job)
      return undefined
    }
    // A crash may have cut a deletion off after it hid the job.
    if (job.deleted_at && job.status !== 'aborting') {
      await endEarly(deps, job)
      return pass(job_id)
    }
    const mustShow = pace.mustShow(job_id)
    const progress = await plan(flow, job, mustShow)
    const released = job.status === 'aborting' ? { unclaimed: 0, room: 0 } : await release(flow, job, progress.tasks)
    pace.passed(job_id, released.unclaimed, progress.tasks.total - progress.tasks.over)
    if (mustShow) await showProgress(flow, job, progress)
    const end = jobEnd(job, await endFacts(deps, job, progress))
    if (end) await finisher.finish(job, end)
    return { job, room: end ? 0 : released.room }
  }

  // A job that the map site blocks to its deadline was not cancelled by anybody: it ends with what it has.
  const endBlocked = async (job_id: string) => {
    const job = await jobs.find(job_id)
    if (job?.status !== 'running' || !(await deps.tasks.isBlocked(job_id))) return false
    await finisher.finish(job, BLOCKED)
    return true
  }

  return {
    reconcile,
    taskClaimed: pace.claimed,
    taskEnded: pace.ended,
    taskReturned: pace.returned,
    placesListed: pace.listed,
    async resultsEnded(job_id, totals, spent) {
      await jobs.showProgress(job_id, { totals, ...(spent && { spent }) })
      await reconcile(job_id)
    },
    async start(job) {
      const started = await jobs.start(job._id)
      const price = job.prices.job_start
      const { user_id, _id: job_id, name: job_name } = job
      if (started) await deps.holds.chargeStart({ user_id, job_id, job_name, price })
      return started
    },
    async abort(job_id, reason) {
      if (reason === 'timeout' && (await serial(job_id, () => endBlocked(job_id)))) return true
      const aborting = await abort(deps, job_id, reason)
      if (aborting) await reconcile(job_id)
      return aborting
    },
    async endEarly(job) {
      const ending = await endEarly(deps, job)
      if (ending) await reconcile(job._id)
      return ending
    },
  }
}

async function endEarly(deps: EngineDeps, { _id, status }: JobDocument): Promise<boolean> {
  if (status !== 'pending') return abort(deps, _id, 'user')
  return (await deps.jobs.move(_id, 'pending', 'cancelled', { cancel_reason: 'user', total_cost: 0 })) !== undefined
}

async function abort({ jobs, tasks, announceEnd }: EngineDeps, job_id: string, cancel_reason: 'user' | 'timeout') {
  const aborting = await jobs.move(job_id, 'running', 'aborting', { cancel_reason, aborted_at: '$$NOW' })
  if (!aborting) return false
  await tasks.cancel(job_id, ['waiting', 'released'])
  announceEnd(job_id)
  return true
}

/** Gives the room in a user's window to other jobs of the user. */
async function releaseOtherJobs(
  { tasks }: EngineDeps,
  { _id, user_id }: JobDocument,
  room: number,
  reconcile: (job_id: string) => Promise<void>,
): Promise<void> {
  const others = (await tasks.waitingJobs(user_id)).filter((other) => other !== _id)
  for (const job_id of sample(others, Math.min(OTHERS_TRIED, room))) await reconcile(job_id)
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
