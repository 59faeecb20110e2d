import { createCache } from '../cache.ts'

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
  unclaimed: number | undefined
  open: number
  /** Claims and ends during a pass. Its counts may include them or not. */
  during?: { claimed: number; ended: number } | undefined
  next?: { at: number; timer: NodeJS.Timeout }
}

/**
 * Debounces the passes over a job, because each costs several commands: the events of a busy job share a pass, a few
 * times a second. A pass comes at once when the queue of the job runs out or its last task may have ended, also during
 * a pass. The counts are estimates: the next pass sees the work of other coordinators.
 */
export type JobPace = {
  claimed(job_id: string): void
  ended(job_id: string): void
  /** A task failed or was refused, so it may wait again. */
  returned(job_id: string): void
  /** A search listed places. */
  listed(job_id: string): void
  /**
   * Records what a pass found: unclaimed tasks in the queue (undefined: no more will come), and tasks that have not
   * ended.
   */
  passed(job_id: string, unclaimed: number | undefined, open: number): void
  /** In `ms` milliseconds a task may be released that waits after a failure or a refusal by the map site. */
  readyIn(job_id: string, ms: number): void
  /** Returns whether the visible progress is due, and counts it as shown. */
  mustShow(job_id: string): boolean
  /** Forgets a job that has ended. */
  forget(job_id: string): void
}

/** Creates the pace of one coordinator. `pass` reconciles a job; it must not throw. */
export function createJobPace(pass: (job_id: string) => void): JobPace {
  const jobs = createCache<Paced>(MAX_JOBS, { dispose: ({ next }) => clearTimeout(next?.timer) })
  const of = (job_id: string): Paced => {
    const paced = jobs.get(job_id) ?? { passed: -SHOW_MS, shown: -SHOW_MS, released: 0, unclaimed: 0, open: 0 }
    jobs.set(job_id, paced, { noDisposeOnSet: true })
    return paced
  }
  const nudge = (job_id: string, paced: Paced, gapMs: number) => {
    const now = performance.now()
    const at = paced.passed + gapMs
    if (at <= now || isUrgent(paced)) passNow(job_id, paced)
    else passAt(job_id, paced, at)
  }
  const passAt = (job_id: string, paced: Paced, at: number) => {
    if (paced.next && paced.next.at <= at) return
    clearTimeout(paced.next?.timer)
    // It may take minutes and must not keep the process alive: sweepers of other coordinators reconcile the job too.
    const ms = Math.max(0, at - performance.now())
    paced.next = { at, timer: setTimeout(() => passNow(job_id, paced), ms).unref() }
  }
  const passNow = (job_id: string, paced: Paced) => {
    clearTimeout(paced.next?.timer)
    delete paced.next
    paced.passed = performance.now()
    paced.during = { claimed: 0, ended: 0 }
    pass(job_id)
  }
  const ended = (job_id: string, gapMs: number) => {
    const paced = of(job_id)
    if (paced.during) paced.during.ended += 1
    else paced.open -= 1
    nudge(job_id, paced, gapMs)
  }
  return {
    claimed(job_id) {
      const paced = of(job_id)
      if (paced.during) paced.during.claimed += 1
      else if (paced.unclaimed !== undefined) paced.unclaimed -= 1
      nudge(job_id, paced, SHOW_MS) // it becomes urgent when the queue runs out
    },
    ended: (job_id) => ended(job_id, SHOW_MS),
    returned: (job_id) => ended(job_id, PASS_MS),
    // New tasks are urgent only when the queue holds none of the job.
    listed(job_id) {
      const paced = of(job_id)
      nudge(job_id, paced, paced.during || paced.unclaimed === undefined ? PASS_MS : SHOW_MS)
    },
    passed(job_id, unclaimed, open) {
      const paced = of(job_id)
      const { claimed, ended: endedMeanwhile } = paced.during ?? { claimed: 0, ended: 0 }
      paced.released = unclaimed ?? 0
      paced.unclaimed = unclaimed === undefined ? undefined : unclaimed - claimed
      paced.open = open - endedMeanwhile
      paced.during = undefined
      if (claimed + endedMeanwhile > 0 && isUrgent(paced)) passNow(job_id, paced)
    },
    readyIn: (job_id, ms) => passAt(job_id, of(job_id), performance.now() + ms),
    mustShow: (job_id) => showIsDue(of(job_id)),
    forget: (job_id) => void jobs.delete(job_id),
  }
}

/** Returns whether a job's tasks in the queue run out, or its last task may have ended. */
const isUrgent = ({ released, unclaimed, open, during }: Paced): boolean =>
  !during && ((unclaimed !== undefined && unclaimed <= released * LOW) || open <= 0)

function showIsDue(paced: Paced): boolean {
  const now = performance.now()
  if (now - paced.shown < SHOW_MS) return false
  paced.shown = now
  return true
}
