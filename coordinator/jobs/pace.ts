import { createCache } from '../cache.ts'

/** The least time between two passes over a job that may release tasks. A queue that runs out needs a pass at once. */
const PASS_MS = 250

/** The least time between two updates of the visible progress, and between two passes that only update it. */
const SHOW_MS = 1_000

/** When at most this share of a job's tasks is left in the queue, the next pass comes at once. */
const LOW = 0.25

/** The most jobs in the cache. An evicted job costs one more pass. */
const MAX_JOBS = 5_000

/** When the last pass began, what it found (undefined while it runs), and the claims and ends since it began. */
type Paced = {
  passed: number
  shown: number
  found?: { unclaimed: number | undefined; open: number } | undefined
  claimed: number
  ended: number
  next?: { at: number; timer: NodeJS.Timeout } | undefined
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
    const paced = jobs.get(job_id) ?? { passed: -SHOW_MS, shown: -SHOW_MS, claimed: 0, ended: 0 }
    jobs.set(job_id, paced, { noDisposeOnSet: true })
    return paced
  }
  const passAt = (job_id: string, at: number) => {
    const paced = of(job_id)
    if (paced.next && paced.next.at <= at) return
    clearTimeout(paced.next?.timer)
    const passNow = () => {
      Object.assign(paced, { passed: performance.now(), found: undefined, claimed: 0, ended: 0, next: undefined })
      pass(job_id)
    }
    // It may take minutes and must not keep the process alive: sweepers of other coordinators reconcile the job too.
    paced.next = { at, timer: setTimeout(passNow, Math.max(0, at - performance.now())).unref() }
  }
  const count = (job_id: string, gapMs: number, { claimed = 0, ended = 0 } = {}) => {
    const paced = of(job_id)
    paced.claimed += claimed
    paced.ended += ended
    passAt(job_id, isUrgent(paced) ? performance.now() : paced.passed + gapMs)
  }
  return {
    claimed: (job_id) => count(job_id, SHOW_MS, { claimed: 1 }), // it becomes urgent when the queue runs out
    ended: (job_id) => count(job_id, SHOW_MS, { ended: 1 }),
    returned: (job_id) => count(job_id, PASS_MS, { ended: 1 }),
    // New tasks are urgent only when the queue holds none of the job.
    listed: (job_id) => count(job_id, of(job_id).found?.unclaimed === undefined ? PASS_MS : SHOW_MS),
    passed(job_id, unclaimed, open) {
      const paced = of(job_id)
      if (paced.found) Object.assign(paced, { claimed: 0, ended: 0 }) // a pass that another caller began
      paced.found = { unclaimed, open }
      if (paced.claimed + paced.ended > 0 && isUrgent(paced)) passAt(job_id, performance.now())
    },
    readyIn: (job_id, ms) => passAt(job_id, performance.now() + ms),
    mustShow(job_id) {
      const paced = of(job_id)
      const isDue = performance.now() - paced.shown >= SHOW_MS
      if (isDue) paced.shown = performance.now()
      return isDue
    },
    forget: (job_id) => void jobs.delete(job_id),
  }
}

/** Whether a job's tasks in the queue run out, or its last task may have ended. */
const isUrgent = ({ found, claimed, ended }: Paced): boolean =>
  found !== undefined &&
  ((found.unclaimed !== undefined && found.unclaimed - claimed <= found.unclaimed * LOW) || ended >= found.open)
