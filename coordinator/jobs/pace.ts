import { LRUCache } from 'lru-cache'

/** Between two passes over one job that may release tasks. */
export const PASS_MS = 250

/** Between two updates of the progress that users see, and between two passes that can do no more than show it. */
const SHOW_MS = 1_000

/** When at most this share of a job's tasks is left in the queue, the next pass comes at once. */
const LOW = 0.25

/** Jobs remembered. A job that is forgotten costs a pass more. */
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
 * Decides when a coordinator looks at a job again after one of its tasks was claimed or ended. Looking costs several
 * queries, so a busy job is looked at a few times a second and not for every task; at once, when its tasks in the queue
 * run out or its last task may have ended. The counts are estimates: what other coordinators do shows in the next pass.
 */
export type JobPace = {
  claimed(job_id: string): void
  ended(job_id: string): void
  /** A task ended otherwise than well, so that it may wait again. */
  returned(job_id: string): void
  /** A search listed places. */
  listed(job_id: string): void
  /** Records what a pass found: tasks in the queue (Infinity: no more will come), and tasks that are not over. */
  passed(job_id: string, unclaimed: number, open: number): void
  /** Whether the progress that users see is due. Counts as shown from then on. */
  mustShow(job_id: string): boolean
  /** Forgets a job that has ended. */
  forget(job_id: string): void
}

/** The pace of one coordinator. `pass` looks at a job; it must not throw. */
export function createJobPace(pass: (job_id: string) => void): JobPace {
  const jobs = new LRUCache<string, Paced>({ max: MAX_JOBS, dispose: ({ next }) => clearTimeout(next?.timer) })
  const of = (job_id: string): Paced => {
    const paced = jobs.get(job_id) ?? { passed: -SHOW_MS, shown: -SHOW_MS, released: 0, unclaimed: 0, open: 0 }
    jobs.set(job_id, paced, { noDisposeOnSet: true })
    return paced
  }
  const nudge = (job_id: string, paced: Paced, gapMs: number) => {
    const now = performance.now()
    const at = paced.passed + gapMs
    const isUrgent = (Number.isFinite(paced.unclaimed) && paced.unclaimed <= paced.released * LOW) || paced.open <= 0
    if (at <= now || isUrgent) return start(job_id, paced)
    if (paced.next && paced.next.at <= at) return
    clearTimeout(paced.next?.timer)
    paced.next = { at, timer: setTimeout(() => start(job_id, paced), at - now) }
  }
  const start = (job_id: string, paced: Paced) => {
    clearTimeout(paced.next?.timer)
    delete paced.next
    // Until the pass has counted anew, further changes wait for the next one.
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
      nudge(job_id, paced, PASS_MS)
    },
    ended: (job_id) => ended(job_id, SHOW_MS),
    returned: (job_id) => ended(job_id, PASS_MS),
    // New tasks are of use at once only when the queue holds none of the job.
    listed(job_id) {
      const paced = of(job_id)
      nudge(job_id, paced, Number.isFinite(paced.unclaimed) ? SHOW_MS : PASS_MS)
    },
    passed: (job_id, unclaimed, open) => void Object.assign(of(job_id), { released: unclaimed, unclaimed, open }),
    mustShow(job_id) {
      const paced = of(job_id)
      const now = performance.now()
      if (now - paced.shown < SHOW_MS) return false
      paced.shown = now
      return true
    },
    forget: (job_id) => void jobs.delete(job_id),
  }
}
