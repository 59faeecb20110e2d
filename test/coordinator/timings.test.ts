import { LOOK_MS } from '@placefleet/coordinator/jobs/due-jobs'
import { TIMINGS } from '@placefleet/coordinator/timings'
import { HEARTBEAT_MS } from '@placefleet/shared/protocol'
import { expect, test } from 'vitest'

test('a lease survives a lost heartbeat, and a broken stream shortens it', () => {
  expect(TIMINGS.leaseMs).toBeGreaterThan(2 * HEARTBEAT_MS)
  expect(TIMINGS.brokenStreamMs).toBeLessThan(TIMINGS.leaseMs)
})

test('a cancelled job ends within ten seconds, even if its agents do not stop', () => {
  expect(TIMINGS.abortTimeoutMs + LOOK_MS).toBeLessThan(10_000)
})

test('a lost message costs at most 15 s while the queue is empty', () => {
  expect(TIMINGS.notifyAgainMs.emptyQueue + TIMINGS.sweepMs).toBeLessThanOrEqual(15_000)
  expect(TIMINGS.notifyAgainMs.emptyQueue).toBeLessThan(TIMINGS.notifyAgainMs.busyQueue)
})

test('two calls of Stripe and the pause between them end within 15 s', () => {
  expect(2 * TIMINGS.stripeTimeoutMs + 500).toBeLessThan(15_000)
})
