import { createLessons } from '@placefleet/agent/maps/exits/lessons'
import { failureOf } from '@placefleet/agent/maps/session/fault'
import { expect, test } from 'vitest'

const BARE_403 = { kind: 'refused', status: 403, text: '<html>', retryAfterMs: 5_000 } as const

test('a bare 403 on what the site answers refuses the exit', () => {
  expect(failureOf(BARE_403, true)).toMatchObject({ fault: 'blocked', details: { retryAfterMs: 5_000 } })
})

test('a bare 403 on data that the site never answered refuses only such requests', () => {
  expect(failureOf(BARE_403, false)).toMatchObject({ fault: 'forbidden' })
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
