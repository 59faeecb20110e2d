import { LRUCache } from 'lru-cache'

/** Between two passes over one job that nobody waits for. */
export const PASS_MS = 250

/** Between two updates of the progress that users see. */
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
  timer?: NodeJS.Timeout
}

/**
 * Decides when a coordinator looks at a job again after one of its tasks was claimed or ended. Looking costs several
 * queries, so a busy job is looked at a few times a second and not for every task; at once, when its tasks in the queue
 * run out or its last task may have ended. The counts are estimates: what other coordinators do shows in the next pass.
 */
export type JobPace = {
  claimed(job_id: string): void
  ended(job_id: string): void
  changed(job_id: string): void
  /** Records what a pass found: tasks in the queue (Infinity: no more will come), and tasks that are not over. */
  passed(job_id: string, unclaimed: number, open: number): void
  /** Whether the progress that users see is due. Counts as shown from then on. */
  mustShow(job_id: string): boolean
  /** Forgets a job that has ended. */
  forget(job_id: string): void
}

/** The pace of one coordinator. `pass` looks at a job; it must not throw. */
export function createJobPace(pass: (job_id: string) => void): JobPace {
  const jobs = new LRUCache<string, Paced>({ max: MAX_JOBS, dispose: ({ timer }) => clearTimeout(timer) })
  const of = (job_id: string): Paced => {
    const paced = jobs.get(job_id) ?? { passed: -PASS_MS, shown: -SHOW_MS, released: 0, unclaimed: 0, open: 0 }
    jobs.set(job_id, paced, { noDisposeOnSet: true })
    return paced
  }
  const nudge = (job_id: string, paced: Paced) => {
    const waitMs = paced.passed + PASS_MS - performance.now()
    const isUrgent = (Number.isFinite(paced.unclaimed) && paced.unclaimed <= paced.released * LOW) || paced.open <= 0
    if (waitMs <= 0 || isUrgent) start(job_id, paced)
    else paced.timer ??= setTimeout(() => start(job_id, paced), waitMs)
  }
  const start = (job_id: string, paced: Paced) => {
    clearTimeout(paced.timer)
    delete paced.timer
    // Until the pass has counted anew, further changes wait for the next one.
    Object.assign(paced, { passed: performance.now(), released: 0, unclaimed: Infinity, open: Infinity })
    pass(job_id)
  }
  return {
    claimed(job_id) {
      const paced = of(job_id)
      paced.unclaimed -= 1
      nudge(job_id, paced)
    },
    ended(job_id) {
      const paced = of(job_id)
      paced.open -= 1
      nudge(job_id, paced)
    },
    changed: (job_id) => nudge(job_id, of(job_id)),
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
