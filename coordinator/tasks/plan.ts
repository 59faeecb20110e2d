/** Places in one collect task: small enough to spread a job over a fleet and to lose little when an agent dies. */
export const TASK_SIZE = 10

/** Unclaimed tasks of one job in the queue at most: enough to keep a fleet busy between two releases. */
export const JOB_WINDOW = 8

/** Unclaimed tasks of one user in the queue at most: what another user's task may have to wait behind. */
export const USER_WINDOW = 16

/** Collect tasks released beyond what the cap needs at this share of places that end otherwise than stored. */
const SPARE = 1.2

/** How many collect tasks a number of listed places makes: only full ones while searches still run. */
export function plannedTasks(references: number, searching: boolean): number {
  return searching ? Math.floor(references / TASK_SIZE) : Math.ceil(references / TASK_SIZE)
}

/** What decides how many more tasks of a job go to the queue. */
export type Demand = {
  /** Released and not claimed yet, of the job and of its user. */
  unclaimed: { job: number; user: number }
  /** Collect tasks released or running. */
  collecting: number
  /** Places the job still takes. */
  wanted: number
  /** Whether the job drops places by their website, so that it cannot be told how many tasks the cap needs. */
  filtered: boolean
}

/**
 * How many tasks of a kind may be released now. Searches go whenever the windows have room. Collecting also stays near
 * what the cap still needs, so that a small cap does not fetch a city; one task may always go.
 */
export function releasable(kind: 'discover' | 'collect', demand: Demand): number {
  const window = Math.max(0, Math.min(JOB_WINDOW - demand.unclaimed.job, USER_WINDOW - demand.unclaimed.user))
  if (kind === 'discover' || demand.filtered) return window
  const needed = Math.ceil((demand.wanted * SPARE) / TASK_SIZE)
  const more = Math.max(needed - demand.collecting, demand.collecting === 0 ? 1 : 0)
  return Math.min(window, more)
}
