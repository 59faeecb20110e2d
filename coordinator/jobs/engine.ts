import { canFail } from '@placefleet/shared/log'
import type { Holds } from '../billing/ledger/holds.ts'
import { createSerial } from '../mongo/locks.ts'
import type { ResultTotals } from '../results/documents.ts'
import { blockedUntil, isBlocked } from '../tasks/snooze.ts'
import { cancelTasks, taskCounts } from '../tasks/store.ts'
import type { Timings } from '../timings.ts'
import type { JobDocument } from './documents.ts'
import { abortTimedOut } from './due-jobs.ts'
import { bill, type FinishDeps, finish } from './finish.ts'
import { BLOCKED, type JobEnd, jobEnd, OUT_OF_TIME, SPENT } from './job-end.ts'
import { createJobPace, type JobPace } from './pace.ts'
import { AFTER_END, IN_CREATION } from './phase.ts'
import { cancelPending, moveJob, startPending } from './phase-moves.ts'
import {
  endInputs,
  endWithoutAgent,
  type PassInputs,
  type ProgressDeps,
  plan,
  type ReadPass,
  release,
  releaseOtherJobs,
  showProgress,
} from './progress.ts'
import { createDecideWave } from './search-on.ts'
import { countRest, findJob, isLate, writeProgress } from './store.ts'

export type EngineDeps = Omit<ProgressDeps, 'decideWave'> &
  FinishDeps & {
    timings: Timings
    readPass: ReadPass
    holds: Holds
  }

/** Drives jobs through their lives. Every step is safe to repeat, so a process may die between any two steps. */
export type JobEngine = {
  /**
   * Advances a job to the state that it should have now: plans and releases tasks, shows progress, ends the job. Starts
   * what follows the end of a job or its deletion. Call it after every change of a job; missed calls are repeated.
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

export function createJobEngine(deps: EngineDeps): JobEngine {
  const { db, log } = deps
  const serial = createSerial()
  const scheduleReconcile = (job_id: string) => void canFail(log, 'advancing a job', reconcileJobsOfUser(job_id))
  const pace = createJobPace(scheduleReconcile)
  const reconcileOnce = createReconcileOnce(deps, pace)
  const reconcile = (job_id: string) => serial(job_id, async () => void (await reconcileOnce(job_id)))

  const reconcileJobsOfUser = async (job_id: string) => {
    const shared = await serial(job_id, () => reconcileOnce(job_id))
    if (shared && shared.room > 0) await releaseOtherJobs(deps, shared.job, shared.room, reconcile)
  }

  return {
    reconcile,
    taskClaimed: pace.claimed,
    taskEnded: pace.ended,
    taskReturned: pace.returned,
    placesListed: pace.listed,
    firstPlacesStored: (job_id, totals) => writeProgress(db, job_id, { totals }),
    async resultsEnded(job_id, totals, spent) {
      if (spent) await decideEnd(deps, job_id, SPENT)
      else await writeProgress(db, job_id, { totals })
      await reconcile(job_id)
    },
    start: (job) => startJob(deps, job),
    async abort(job_id, reason) {
      const decided = await serial(job_id, () => decideAbort(deps, job_id, reason))
      if (decided) await reconcile(job_id)
      return decided
    },
    async endEarly(job) {
      const decided = job.phase === 'pending' ? await cancelPending(db, job) : await decideAbort(deps, job._id, 'user')
      if (decided) await reconcile(job._id)
      return Boolean(decided)
    },
  }
}

/** The result of a pass: the job and the free room in its user's window. Undefined if the job may not release tasks. */
type ReconcileResult = { job: JobDocument; room: number } | undefined

/** Returns the function that does what is due for a job in its phase. */
function createReconcileOnce(deps: EngineDeps, pace: JobPace): (job_id: string) => Promise<ReconcileResult> {
  const flow: ProgressDeps = {
    ...deps,
    decideWave: createDecideWave(deps.db),
  }

  const collect = async (read: PassInputs): Promise<ReconcileResult> => {
    const { job } = read
    const job_id = job._id
    if (await endWithoutAgent(flow, job)) {
      pace.forget(job_id)
      deps.followEnd(job_id)
      return undefined
    }
    const progress = await plan(flow, read)
    const { unclaimed, room, nextInMs } = await release(flow, read, progress.tasks)
    pace.passed(job_id, unclaimed, progress.tasks.total - progress.tasks.ended)
    if (read.sums) await showProgress(flow, job, progress)
    const end = jobEnd(job, await endInputs(flow, job, progress))
    if (end) {
      const ending = await moveJob(deps.db, job, 'ending', { end })
      if (ending) await finish(deps, ending)
      return { job, room: 0 }
    }
    if (nextInMs !== undefined) pace.readyIn(job_id, nextInMs)
    return { job, room }
  }

  const waitForAgents = async (job: JobDocument): Promise<ReconcileResult> => {
    const { _id: job_id } = job
    await cancelTasks(deps.db, job_id, ['waiting', 'released'])
    deps.announceEnd(job_id)
    const { running, total, ended } = await taskCounts(deps.db, job_id)
    pace.passed(job_id, 0, total - ended)
    if (running > 0 && !(await abortTimedOut(deps.db, job_id, deps.timings))) return { job, room: 0 }
    await finish(deps, job)
    return { job, room: 0 }
  }

  const conclude = async (job: JobDocument): Promise<void> => {
    pace.forget(job._id)
    if (job.phase === 'ending') await finish(deps, job)
    if (job.phase === 'closing') await bill(deps, job) // who cancels a pending job has the credits back at once
    if (AFTER_END.includes(job.phase)) deps.followEnd(job._id)
  }

  return async (job_id: string): Promise<ReconcileResult> => {
    const read = await deps.readPass(job_id, pace.mustShow(job_id))
    if (read) return collect(read)
    const job = await findJob(deps.db, job_id)
    if (!job || IN_CREATION.includes(job.phase)) return undefined // who looks at it rolls back what died
    if (job.phase === 'aborting') return waitForAgents(job)
    await conclude(job)
    return undefined
  }
}

async function startJob({ db, holds, log }: EngineDeps, job: JobDocument): Promise<JobDocument | undefined> {
  const started = await startPending(db, job._id)
  const price = job.prices.job_start
  const { user_id, _id: job_id, name: job_name } = job
  // The agent need not wait for it: the end of the job bills a start that was not charged.
  if (started) void canFail(log, 'charging the start', holds.chargeStart({ user_id, job_id, job_name, price }))
  return started
}

/** Decides how a running job ends. Returns false if it is not running. */
async function decideEnd({ db }: EngineDeps, job_id: string, end: JobEnd): Promise<boolean> {
  return (await moveJob(db, { _id: job_id, phase: 'running' }, 'ending', { end })) !== undefined
}

/** Returns whether a job at its deadline goes on: the map site refuses all its tasks, and it may rest for longer. */
async function outlives({ db }: EngineDeps, job_id: string): Promise<boolean> {
  const [job, wait] = [await findJob(db, job_id), await blockedUntil(db, job_id)]
  if (!job || !wait) return false
  await countRest(db, job, wait.until)
  return !(await isLate(db, job_id))
}

/**
 * Decides that a running job ends early. At its deadline a job that the map site blocked, or that was to exhaust its area,
 * ends at once: it keeps its places and was not cancelled. Any other one ends when its agents have stopped. Returns false
 * if it is not running.
 */
async function decideAbort(deps: EngineDeps, job_id: string, cancel_reason: 'user' | 'timeout'): Promise<boolean> {
  if (cancel_reason === 'timeout' && (await outlives(deps, job_id))) return false
  if (cancel_reason === 'timeout' && (await isBlocked(deps.db, job_id))) return decideEnd(deps, job_id, BLOCKED)
  if (cancel_reason === 'timeout' && (await findJob(deps.db, job_id))?.data.exhaust)
    return decideEnd(deps, job_id, OUT_OF_TIME)
  const running = { _id: job_id, phase: 'running' as const }
  const end: JobEnd = { status: 'cancelled', cancel_reason }
  return (await moveJob(deps.db, running, 'aborting', { end })) !== undefined
}
