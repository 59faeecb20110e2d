/** Places in one collect task: small enough to spread a job over a fleet and to lose little when an agent dies. */
export const TASK_SIZE = 10

/** Unclaimed tasks of one job in the queue at most: enough to keep a fleet busy between two releases. */
export const JOB_WINDOW = 8

/**
 * Unclaimed tasks of one user in the queue: what another user's task has to wait behind. As many as the fleet has slots
 * are gone in one round of it; more than the upper bound are not needed to keep slots busy, since each claim releases
 * the next, and one of the lower is on its way while the other waits. The queue serves in turn, so who pays has up to
 * twice the share of who does not when both wait, and nobody waits behind more than a round of anybody.
 */
const USER_WINDOW = { paid: { round: 1, min: 3, max: 16 }, free: { round: 0.5, min: 2, max: 8 } }

/** How many tasks of one user may wait in the queue of a fleet with so many slots. */
export function userWindow(slots: number, paid: boolean): number {
  const { round, min, max } = paid ? USER_WINDOW.paid : USER_WINDOW.free
  return Math.min(Math.max(Math.ceil(slots * round), min), max)
}

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
  /** Of all agents. */
  slots: number
  /** Whether its user pays. */
  paid: boolean
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
  const window = Math.max(
    0,
    Math.min(JOB_WINDOW - demand.unclaimed.job, userWindow(demand.slots, demand.paid) - demand.unclaimed.user),
  )
  if (kind === 'discover' || demand.filtered) return window
  const needed = Math.ceil((demand.wanted * SPARE) / TASK_SIZE)
  const more = Math.max(needed - demand.collecting, demand.collecting === 0 ? 1 : 0)
  return Math.min(window, more)
}
