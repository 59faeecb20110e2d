import { TIMINGS } from '@placefleet/agent/timings'
import { TIMINGS as COORDINATOR } from '@placefleet/coordinator/timings'
import { HEARTBEAT_MS } from '@placefleet/shared/protocol'
import { expect, test } from 'vitest'

test('an attempt to connect fails before the first warning of an outage, so the warning says why', () => {
  expect(TIMINGS.connectWithinMs).toBeLessThan(TIMINGS.lastingOutageMs)
})

test('a task with an unanswered claim is returned before a lease would end', () => {
  expect(TIMINGS.claimWithinMs).toBeLessThan(COORDINATOR.leaseMs)
})

test('a task without a coordinator stops before its lease ends, whenever the last heartbeat was', () => {
  expect(TIMINGS.stopWithinMs + HEARTBEAT_MS).toBeLessThanOrEqual(COORDINATOR.leaseMs)
})
