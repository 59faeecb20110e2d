import { isFinal } from '@placefleet/shared/job-status'
import { canFail } from '@placefleet/shared/log'
import { LRUCache } from 'lru-cache'
import { createSerial } from '../mongo/locks.ts'
import type { ResultTotals } from '../results/documents.ts'
import type { JobDocument } from './documents.ts'
import { createFinisher, type FinishDeps, type Finisher } from './finish.ts'
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
  /** Starts a pending job when its first task is claimed. Returns undefined if the job is not pending. */
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

async function startJob({ jobs, holds }: EngineDeps, job: JobDocument): Promise<JobDocument | undefined> {
  const started = await jobs.start(job._id)
  const price = job.prices.job_start
  const { user_id, _id: job_id, name: job_name } = job
  if (started) await holds.chargeStart({ user_id, job_id, job_name, price })
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

/** The least time between two passes over a job that may release tasks. A queue that runs out needs a pass at once. */
const PASS_MS = 250

/** The least time between two updates of the visible progress, and between two passes that only update it. */
const SHOW_MS = 1_000

/** When at most this share of a job's tasks is left in the queue, the next pass comes at once. */
const LOW = 0.25

/** The most jobs in the cache. An evicted job costs one more pass. */
const MAX_JOBS = 5_000

type Paced = {
  passed: number
  shown: number
  released: number
  unclaimed: number
  open: number
  next?: { at: number; timer: NodeJS.Timeout }
}

/**
 * Decides when a coordinator looks at a job again: after one of its tasks was claimed or ended, and when a task that
 * had to wait may be released. A look costs several queries, so a busy job gets a few a second, not one for every task.
 * It gets one at once when its queue runs out or its last task may have ended. The counts are estimates: the next pass
 * sees the work of other coordinators.
 */
type JobPace = {
  claimed(job_id: string): void
  ended(job_id: string): void
  /** A task failed or was refused, so it may wait again. */
  returned(job_id: string): void
  /** A search listed places. */
  listed(job_id: string): void
  /**
   * Records what a pass found: unclaimed tasks in the queue (Infinity: no more will come), and tasks that have not
   * ended.
   */
  passed(job_id: string, unclaimed: number, open: number): void
  /** In `ms` milliseconds a task may be released that waits after a failure or a refusal by the map site. */
  readyIn(job_id: string, ms: number): void
  /** Returns whether the visible progress is due, and counts it as shown. */
  mustShow(job_id: string): boolean
  /** Forgets a job that has ended. */
  forget(job_id: string): void
}

/** Creates the pace of one coordinator. `pass` looks at a job; it must not throw. */
function createJobPace(pass: (job_id: string) => void): JobPace {
  const jobs = new LRUCache<string, Paced>({ max: MAX_JOBS, dispose: ({ next }) => clearTimeout(next?.timer) })
  const of = (job_id: string): Paced => {
    const paced = jobs.get(job_id) ?? { passed: -SHOW_MS, shown: -SHOW_MS, released: 0, unclaimed: 0, open: 0 }
    jobs.set(job_id, paced, { noDisposeOnSet: true })
    return paced
  }
  const nudge = (job_id: string, paced: Paced, gapMs: number) => {
    const now = performance.now()
    const at = paced.passed + gapMs
    if (at <= now || isUrgent(paced)) look(job_id, paced)
    else lookAt(job_id, paced, at)
  }
  const lookAt = (job_id: string, paced: Paced, at: number) => {
    if (paced.next && paced.next.at <= at) return
    clearTimeout(paced.next?.timer)
    // The timer may take minutes. It must not keep the process alive: the sweepers of other coordinators look at the
    // job too.
    paced.next = { at, timer: setTimeout(() => look(job_id, paced), at - performance.now()).unref() }
  }
  const look = (job_id: string, paced: Paced) => {
    clearTimeout(paced.next?.timer)
    delete paced.next
    // Until the pass has counted, further changes wait for the next pass.
    Object.assign(paced, { passed: performance.now(), released: 0, unclaimed: Infinity, open: Infinity })
    pass(job_id)
  }
  const ended = (job_id: string, gapMs: number) => {
    const paced = of(job_id)
    paced.open -= 1
    nudge(job_id, paced, gapMs)
  }
  return {
    claimed(job_id) {
      const paced = of(job_id)
      paced.unclaimed -= 1
      nudge(job_id, paced, SHOW_MS) // it becomes urgent when the queue runs out
    },
    ended: (job_id) => ended(job_id, SHOW_MS),
    returned: (job_id) => ended(job_id, PASS_MS),
    // New tasks are urgent only when the queue holds none of the job.
    listed(job_id) {
      const paced = of(job_id)
      nudge(job_id, paced, Number.isFinite(paced.unclaimed) ? SHOW_MS : PASS_MS)
    },
    passed: (job_id, unclaimed, open) => void Object.assign(of(job_id), { released: unclaimed, unclaimed, open }),
    readyIn: (job_id, ms) => lookAt(job_id, of(job_id), performance.now() + ms),
    mustShow: (job_id) => showIsDue(of(job_id)),
    forget: (job_id) => void jobs.delete(job_id),
  }
}

/** Returns whether a job's tasks in the queue run out, or its last task may have ended. */
const isUrgent = ({ released, unclaimed, open }: Paced): boolean =>
  (Number.isFinite(unclaimed) && unclaimed <= released * LOW) || open <= 0

function showIsDue(paced: Paced): boolean {
  const now = performance.now()
  if (now - paced.shown < SHOW_MS) return false
  paced.shown = now
  return true
}
