import { CRAWL_LIMITS, type CrawlLimits } from './website/crawl.ts'

/** The waits of an agent before it gives up on a server. Each has one right value, so none is a setting. */
export type Timings = {
  /** After this long without an answer to a claim, the queue offers the task to others. */
  claimWithinMs: number
  /**
   * After this long without a coordinator a running task stops: its lease ends, and others get it. What it has
   * collected is delivered when a coordinator answers.
   */
  stopWithinMs: number
  /** The time before the first warning that a server does not answer; then the agent takes no tasks. */
  lastingOutageMs: number
  /** How long one attempt to connect to the queue may take. */
  connectWithinMs: number
  crawl: CrawlLimits
}

/** The waits of the product. Tests pass others: shorter ones, or longer ones for a busy machine. */
export const TIMINGS: Timings = {
  // As long as the queue waits before it offers the message again.
  claimWithinMs: 10_000,
  // A lease, without the time since the last heartbeat.
  stopWithinMs: 10_000,
  // Longer than a coordinator's restart, or the move to another coordinator.
  lastingOutageMs: 5_000,
  // Shorter than a lasting outage, so that its first warning can say why.
  connectWithinMs: 4_000,
  crawl: CRAWL_LIMITS,
}
