/**
 * The waits of a coordinator that decide how soon it notices a loss or a failure. Each has one right value, so none is a
 * setting. Tests pass shorter ones.
 */
export type Timings = {
  /** How long a lease lasts without a heartbeat. */
  leaseMs: number
  /** How long a lease lasts after its stream breaks. */
  brokenStreamMs: number
  /** The time before a task is released again after its first failure; twice as long after its second. */
  retryMs: number
  /** How often every coordinator sweeps, and how long the sweeper that took a job has it. */
  sweepMs: number
  /** How long an aborting job waits for its agents to stop before it ends without them. */
  abortTimeoutMs: number
  /** How long a released task may stay unclaimed before the fleet is notified again. */
  notifyAgainMs: { emptyQueue: number; busyQueue: number }
  /** How long a coordinator gathers what agents ask of exits. It gives turns away for twice this time. */
  exitTurnsMs: number
  /** How long a coordinator's lease of a webhook delivery lasts without renewal. */
  deliveryLeaseMs: number
  /** How long one call of Stripe may take, with its body. */
  stripeTimeoutMs: number
}

/** The waits of the product. */
export const TIMINGS: Timings = {
  // An agent sends three heartbeats in this time, so one may be lost.
  leaseMs: 15_000,
  // Long enough to reconnect, short enough to replace a dead agent soon.
  brokenStreamMs: 5_000,
  // Soon after a short fault of the map site, later when it lasts.
  retryMs: 2_000,
  // The sweep only repairs what was lost, so it may cost little.
  sweepMs: 5_000,
  // A cancelled job ends within ten seconds: coordinators look for it once a second.
  abortTimeoutMs: 8_000,
  // A second message costs at most one refused claim. Without it, a task with a lost message would never run while the
  // queue is busy.
  notifyAgainMs: { emptyQueue: 10_000, busyQueue: 60_000 },
  // One read and one write in this time, for all agents of a coordinator. A rest stops all but what they hold.
  exitTurnsMs: 2_000,
  // After a crash another coordinator takes over this much later.
  deliveryLeaseMs: 5_000,
  // With one retry after half a second a call takes at most 12.5 s. No client request makes more than one call, so each
  // is answered within 15 s.
  stripeTimeoutMs: 6_000,
}
