import {
  OVERTAKING_MS,
  type RatePolicy,
  rateLimitHeaders,
  read,
  take,
  takenBy,
} from '@placefleet/coordinator/http/rate-limit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { volume } from '../../../harness/volume.ts'

const SLOW = { rate: 0.5, burst: 10 }
const AT = new Date('2026-01-01T00:00:00Z')
const later = (ms: number) => new Date(AT.getTime() + ms)

test.each([
  { tokens: 10, reading: { remaining: 10, nextToken: 0, retryAfter: 0 }, fullIn: 0 },
  { tokens: 9.5, reading: { remaining: 9, nextToken: 1, retryAfter: 0 }, fullIn: 1 },
  { tokens: 1, reading: { remaining: 1, nextToken: 2, retryAfter: 0 }, fullIn: 18 },
  { tokens: 0.5, reading: { remaining: 0, nextToken: 1, retryAfter: 1 }, fullIn: 19 },
  { tokens: 0, reading: { remaining: 0, nextToken: 2, retryAfter: 2 }, fullIn: 20 },
])(
  'a bucket of ten with $tokens tokens and one more every two seconds reads as $reading',
  ({ tokens, reading, fullIn }) => {
    const resetAt = AT.getTime() / 1_000 + fullIn
    expect(read({ tokens, at: AT }, SLOW)).toEqual({ limit: 10, window: 20, ...reading, resetAt })
  },
)

test.each([
  { elapsed: 1_999, tokens: 0, granted: 0 },
  { elapsed: 2_000, tokens: 0, granted: 1 },
  { elapsed: 19_999, tokens: 0, granted: 9 },
  { elapsed: 20_000, tokens: 0, granted: 10 },
  { elapsed: 22_000, tokens: 0, granted: 10 },
  { elapsed: 2_000, tokens: 9, granted: 10 },
])(
  '$elapsed ms after it had $tokens tokens a bucket grants $granted of twelve requests',
  ({ elapsed, tokens, granted }) => {
    expect(take({ tokens, at: AT }, SLOW, later(elapsed), 12)).toMatchObject({ granted, at: later(elapsed) })
  },
)

test('an unused bucket is full', () => {
  expect(take(undefined, SLOW, AT, 3)).toEqual({ tokens: 7, at: AT, granted: 3 })
})

test.each([
  { elapsed: 0, at: AT },
  { elapsed: -1, at: AT },
  { elapsed: -OVERTAKING_MS, at: AT },
  { elapsed: -OVERTAKING_MS - 1, at: later(-OVERTAKING_MS - 1) },
])('a request from $elapsed ms before the last one refills nothing, and the time is then $at', ({ elapsed, at }) => {
  expect(take({ tokens: 5, at: AT }, SLOW, later(elapsed))).toEqual({ tokens: 4, at, granted: 1 })
})

test('of five requests of which three are granted, the first three are, each with its own reading', () => {
  const taken = take({ tokens: 3, at: AT }, SLOW, AT, 5)
  const all = [0, 1, 2, 3, 4].map((nth) => takenBy(nth, taken))
  expect(all.map(({ granted, state }) => [granted, state.tokens])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
    [false, 0],
  ])
})

const policies = fc.record({
  rate: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant(0.0167), fc.double({ min: 0.01, max: 50, noNaN: true })),
  burst: fc.integer({ min: 1, max: 100 }),
})

/** Runs requests at these moments through one bucket; gives those granted. */
function grantedAt(policy: RatePolicy, moments: number[]): number[] {
  let state: ReturnType<typeof take> | undefined
  return moments.filter((ms) => {
    state = take(state, policy, later(ms))
    return state.granted === 1
  })
}

test('a bucket never grants more than its burst plus its rate over the time, with requests in any order', () => {
  const arrivals = fc.array(
    fc.record({ gap: fc.integer({ min: 0, max: 3_000 }), early: fc.integer({ min: 0, max: OVERTAKING_MS }) }),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(policies, arrivals, (policy, steps) => {
      let clock = 0
      const moments = steps.map(({ gap, early }) => {
        clock += gap
        return clock - Math.min(early, clock)
      })
      const seconds = (Math.max(0, ...moments) - Math.min(0, ...moments)) / 1000
      expect(grantedAt(policy, moments).length).toBeLessThanOrEqual(policy.burst + policy.rate * seconds + 1e-6)
    }),
    { numRuns: volume(40, 2_000) },
  )
})

test.each([
  [{ rate: 2, burst: 5 }, 'api;q=5;w=3'],
  [{ rate: 10, burst: 30 }, 'api;q=30;w=3'],
  [{ rate: 5, burst: 20 }, 'api;q=20;w=4'],
  [{ rate: 0.0167, burst: 3 }, 'api;q=3;w=180'],
])('the headers of %o describe its bucket', (policy, expected) => {
  const headers = rateLimitHeaders(read(take(undefined, policy, AT), policy))
  expect(headers['ratelimit-policy']).toBe(expected)
  expect(headers.ratelimit).toBe(`api;r=${policy.burst - 1};t=${Math.ceil(1 / policy.rate)}`)
  expect(headers['x-ratelimit-limit']).toBe(String(policy.burst))
  expect(headers['x-ratelimit-remaining']).toBe(String(policy.burst - 1))
  expect(headers['x-ratelimit-reset']).toBe(String(Math.ceil(AT.getTime() / 1000 + 1 / policy.rate)))
})
