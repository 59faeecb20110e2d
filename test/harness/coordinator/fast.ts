import { TIMINGS, type Timings } from '@placefleet/coordinator/timings'

/**
 * A tenth of a coordinator's waits, for tests that would wait for one. Leases keep their time, because on a busy machine
 * a short one would run out under a living agent. Stripe keeps a quarter: the stand-in must answer in time.
 */
export const FAST: Timings = {
  ...TIMINGS,
  retryMs: 200,
  sweepMs: 500,
  abortTimeoutMs: 800,
  notifyAgainMs: { emptyQueue: 1_000, busyQueue: 6_000 },
  exitTurnsMs: 200,
  deliveryLeaseMs: 500,
  stripeTimeoutMs: 1_500,
}
