import {
  afterExhausted,
  afterSuccess,
  type FailureMode,
  failureMode,
  type Health,
} from '@placefleet/coordinator/webhooks/documents'
import { expect, test } from 'vitest'

/** The health after so many deliveries in a row that used up their attempts. */
const afterFailures = (count: number, from?: Health): Health =>
  Array.from({ length: count }).reduce<Health>(
    (health, _, nth) => afterExhausted(health, nth === 9 ? 'http_4xx' : 'http_5xx'),
    from ?? { health_state: 'healthy', consecutive_failures: 0 },
  )

const disabled = { health_state: 'disabled', consecutive_failures: 10, disabled_reason: 'http_4xx' }

test.each([
  [4, { health_state: 'healthy', consecutive_failures: 4 }],
  [5, { health_state: 'degraded', consecutive_failures: 5 }],
  [9, { health_state: 'degraded', consecutive_failures: 9 }],
  [10, disabled],
  [11, disabled],
])('after %i failed deliveries in a row a webhook is %j', (failures, health) => {
  expect(afterFailures(failures)).toEqual(health)
})

test('a success ends the streak, and enables no disabled webhook', () => {
  const healthy = { health_state: 'healthy', consecutive_failures: 0 }
  for (const failures of [0, 4, 9]) expect(afterSuccess(afterFailures(failures))).toEqual(healthy)
  expect(afterFailures(1, afterSuccess(afterFailures(9)))).toEqual({ ...healthy, consecutive_failures: 1 })
  expect(afterSuccess(afterFailures(10))).toEqual(disabled)
})

test.each<[number | undefined, FailureMode]>([
  [500, 'http_5xx'],
  [599, 'http_5xx'],
  [499, 'http_4xx'],
  [302, 'http_4xx'],
  [undefined, 'transport_error'],
])('a failure with status %s is a %s', (status, mode) => expect(failureMode(status)).toBe(mode))
