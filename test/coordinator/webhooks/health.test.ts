import {
  afterExhausted,
  afterSuccess,
  type FailureMode,
  failureMode,
  type Health,
} from '@placefleet/coordinator/webhooks/documents'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'

const FRESH: Health = { health_state: 'healthy', consecutive_failures: 0 }
const MODES: FailureMode[] = ['http_4xx', 'http_5xx', 'transport_error']

const event = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...MODES) }, fc.constantFrom('success', 'reenable'))

/** Returns the health by the documented table, from the length of the last streak of failures. */
function told(events: string[]): Health {
  let streak: string[] = []
  for (const one of events) {
    const disabled = streak.length >= 10
    if (one === 'reenable' ? disabled : one === 'success' && !disabled) streak = []
    else if (one !== 'reenable' && one !== 'success' && !disabled) streak.push(one)
  }
  const consecutive_failures = streak.length
  const disabled_reason = MODES.find((mode) => mode === streak[9])
  if (disabled_reason) return { health_state: 'disabled', consecutive_failures, disabled_reason }
  return { health_state: consecutive_failures >= 5 ? 'degraded' : 'healthy', consecutive_failures }
}

function apply(health: Health, one: (typeof MODES)[number] | 'success' | 'reenable'): Health {
  if (one === 'success') return afterSuccess(health)
  if (one === 'reenable') return health.health_state === 'disabled' ? FRESH : health
  return afterExhausted(health, one)
}

const HISTORIES = volume(200, 10_000)

test(`in ${HISTORIES} histories the health follows the documented table`, () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40, size: 'max' }), (events) => {
      expect(events.reduce(apply, FRESH)).toEqual(told(events))
    }),
    { numRuns: HISTORIES },
  )
})

test.each<[number | undefined, FailureMode]>([
  [500, 'http_5xx'],
  [599, 'http_5xx'],
  [404, 'http_4xx'],
  [302, 'http_4xx'],
  [undefined, 'transport_error'],
])('a failure with status %s is a %s', (status, mode) => expect(failureMode(status)).toBe(mode))
