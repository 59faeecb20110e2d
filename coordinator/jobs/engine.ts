import { isFinal } from '@placefleet/shared/job-status'
import { canFail } from '@placefleet/shared/log'
import { createSerial } from '../mongo/locks.ts'
import type { ResultTotals } from '../results/documents.ts'
import type { JobDocument } from './documents.ts'
import { createFinisher, type FinishDeps, type Finisher } from './finish.ts'
import { createJobPace, type JobPace } from './pace.ts'
import {
  BLOCKED,
  createListedCount,
  endFacts,
  jobEnd,
  type ProgressDeps,
  plan,
  type Released,
  release,
  releaseOtherJobs,
  showProgress,
} from './progress.ts'

export type EngineDeps = Omit<ProgressDeps, 'countListed'> & FinishDeps

/** Drives jobs through their lives. Every step is safe to repeat, so a process may die between any two steps. */
export type JobEngine = {
  /**
   * Advances a job to the state that it should have now: plans and releases tasks, shows progress, ends the job, closes
   * it, and removes its data once it is deleted. Call it after every change of a job; the sweeper repeats missed calls.
   * Calls for one job run one after the other.
   */
  reconcile(job_id: string): Promise<void>
  /** Notes that a task of a job was claimed. Soon reconciles the job and its user's other jobs. */
  taskClaimed(job_id: string): void
  /**
   * Notes that a task of a job ended, that an agent returned one, or that a search listed places. Soon reconciles the
   * job.
   */
  taskEnded(job_id: string): void
  taskReturned(job_id: string): void
  placesListed(job_id: string): void
  /** Shows the first places of a job at once. Later ones are shown by the next pass. */
  firstPlacesStored(job_id: string, totals: ResultTotals): Promise<void>
  /** Ends a job that takes no more places. */
  resultsEnded(job_id: string, totals: ResultTotals, spent: boolean): Promise<void>
  /**
   * Starts a pending job when its first task is claimed, and charges its start soon after. Returns undefined if the job
   * is not pending.
   */
  start(job: JobDocument): Promise<JobDocument | undefined>
  /** Begins to end a running job early. Returns false if it is not running. */
  abort(job_id: string, reason: 'user' | 'timeout'): Promise<boolean>
  /** Cancels a pending job, or begins to end a running one, for its user. Returns false if its status has changed. */
  endEarly(job: JobDocument): Promise<boolean>
}

/** Creates the engine over its dependencies. */
export function createJobEngine(deps: EngineDeps): JobEngine {
  const { jobs, log } = deps
  const serial = createSerial()
  const finisher = createFinisher(deps)
  const soon = (job_id: string) => void canFail(log, 'advancing a job', passAndShare(job_id))
  const pace = createJobPace(soon)
  const pass = createPass(deps, finisher, pace)
  const reconcile = (job_id: string) => serial(job_id, async () => void (await pass(job_id)))

  const passAndShare = async (job_id: string) => {
    const shared = await serial(job_id, () => pass(job_id))
    if (shared && shared.room > 0) await releaseOtherJobs(deps, shared.job, shared.room, reconcile)
  }

  return {
    reconcile,
    taskClaimed: pace.claimed,
    taskEnded: pace.ended,
    taskReturned: pace.returned,
    placesListed: pace.listed,
    firstPlacesStored: (job_id, totals) => jobs.showProgress(job_id, { totals }),
    async resultsEnded(job_id, totals, spent) {
      await jobs.showProgress(job_id, { totals, ...(spent && { spent }) })
      await reconcile(job_id)
    },
    start: (job) => startJob(deps, job),
    async abort(job_id, reason) {
      if (reason === 'timeout' && (await serial(job_id, () => endBlocked(deps, finisher, job_id)))) return true
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

/** The result of a pass: the job and the free room in its user's window. Undefined if the job may not release tasks. */
type Passed = { job: JobDocument; room: number } | undefined

const NOTHING_RELEASED: Released = { unclaimed: 0, room: 0 }

/** Returns the function that does what is due for a job. */
function createPass(deps: EngineDeps, finisher: Finisher, pace: JobPace): (job_id: string) => Promise<Passed> {
  const flow: ProgressDeps = { ...deps, countListed: createListedCount(deps.references) }
  const pass = async (job_id: string): Promise<Passed> => {
    const job = await deps.jobs.find(job_id)
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
    const released = job.status === 'aborting' ? NOTHING_RELEASED : await release(flow, job, progress.tasks)
    const { unclaimed, room, nextInMs } = released
    pace.passed(job_id, unclaimed, progress.tasks.total - progress.tasks.ended)
    if (mustShow) await showProgress(flow, job, progress)
    const end = jobEnd(job, await endFacts(flow, job, progress))
    if (end) {
      await finisher.finish(job, end)
      return { job, room: 0 }
    }
    if (nextInMs !== undefined) pace.readyIn(job_id, nextInMs)
    return { job, room }
  }
  return pass
}

async function startJob({ jobs, holds, log }: EngineDeps, job: JobDocument): Promise<JobDocument | undefined> {
  const started = await jobs.start(job._id)
  const price = job.prices.job_start
  const { user_id, _id: job_id, name: job_name } = job
  // The agent need not wait for it: the end of the job bills a start that was not charged.
  if (started) void canFail(log, 'charging the start', holds.chargeStart({ user_id, job_id, job_name, price }))
  return started
}

/** Ends a job that the map site blocked until its deadline. It was not cancelled, so it keeps its places. */
async function endBlocked({ jobs, tasks }: EngineDeps, finisher: Finisher, job_id: string): Promise<boolean> {
  const job = await jobs.find(job_id)
  if (job?.status !== 'running' || !(await tasks.isBlocked(job_id))) return false
  await finisher.finish(job, BLOCKED)
  return true
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
