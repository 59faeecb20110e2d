import { failureOf, isRefusedQuestion } from '@placefleet/agent/maps/session/fault'
import { expect, test } from 'vitest'

const BARE_403 = { kind: 'refused', status: 403, text: '<html>', retryAfterMs: 5_000 } as const

test('a bare 403 on a page refuses the exit, and after the rest another client asks', () => {
  const failure = failureOf(BARE_403, 'page')
  expect(failure).toMatchObject({ fault: 'blocked', details: { retryAfterMs: 5_000 } })
  expect(isRefusedQuestion(failure)).toBe(true)
})

test('a bare 403 on data refuses only such requests', () => {
  expect(failureOf(BARE_403, 'data')).toMatchObject({ fault: 'forbidden' })
})
