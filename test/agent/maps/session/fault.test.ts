import { createExit } from '@placefleet/agent/maps/exits/exit'
import { createLessons } from '@placefleet/agent/maps/exits/lessons'
import { classifyError, failureOfData } from '@placefleet/agent/maps/session/fault'
import { expect, test } from 'vitest'

const BARE_403 = { kind: 'refused', status: 403, text: '<html>', retryAfterMs: 5_000 } as const

test('a bare 403 on data that the site answered before refuses the exit, a payload is no failure', () => {
  const exit = createExit(undefined, { limits: { pace: undefined, inFlight: 1, restMs: 0 }, classifyError })
  const [one, other] = [new URL('https://maps.example/reviews?of=1'), new URL('https://maps.example/reviews?of=2')]
  expect(failureOfData(BARE_403, one, exit)).toMatchObject({ fault: 'forbidden' })
  expect(failureOfData({ ...BARE_403, kind: 'payload', status: 200 }, one, exit)).toBeUndefined()
  expect(failureOfData(BARE_403, other, exit)).toMatchObject({ fault: 'blocked', details: { retryAfterMs: 5_000 } })
})

test('a 403 on data refuses the exit where such data came since the last refusal, but not twice for one request', () => {
  const { servedData, refusesExit } = createLessons(() => 0)
  const [one, other] = [new URL('https://maps.example/reviews?of=1'), new URL('https://maps.example/reviews?of=2')]
  expect(refusesExit(other)).toBe(false)
  servedData(one)
  expect([refusesExit(one), refusesExit(one)]).toEqual([true, false])
  servedData(other)
  expect(refusesExit(one)).toBe(false)
  servedData(one)
  expect(refusesExit(other)).toBe(false)
})
