import {
  OVERTAKING_MS,
  type RatePolicy,
  rateLimitHeaders,
  read,
  take,
  takeExpression,
  takenBy,
} from '@placefleet/coordinator/http/rate-limit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../harness/servers/database.ts'
import { volume } from '../../../harness/volume.ts'

const policies = fc.record({
  rate: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant(0.0167), fc.double({ min: 0.01, max: 50, noNaN: true })),
  burst: fc.integer({ min: 1, max: 100 }),
})
const START = 1_700_000_000_000
const moment = (ms: number) => new Date(START + ms)

/** Runs requests at these moments through one bucket; gives those granted. */
function grantedAt(policy: RatePolicy, moments: number[]): number[] {
  let state: ReturnType<typeof take> | undefined
  return moments.filter((ms) => {
    state = take(state, policy, moment(ms))
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

test('requests that ask together are answered as if they had asked one after the other', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 20 })
  const [rates, bursts] = [fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 100 })]
  fc.assert(
    fc.property(rates, bursts, gaps, fc.integer({ min: 1, max: 200 }), (rate, burst, before, requests) => {
      const policy = { rate, burst }
      const moments = before.map((_, index) => before.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0))
      const found = moments.reduce<ReturnType<typeof take> | undefined>(
        (state, ms) => take(state, policy, moment(ms)),
        undefined,
      )
      const now = moment((moments.at(-1) ?? 0) + 1_234)
      const together = take(found, policy, now, requests)
      let alone = found
      for (let nth = 0; nth < requests; nth++) {
        alone = take(alone, policy, now)
        const { granted, state } = takenBy(nth, together)
        expect(granted).toBe(alone.granted === 1)
        expect(read(state, policy)).toEqual(read(alone, policy))
      }
      expect(read(together, policy)).toEqual(read(alone ?? together, policy))
    }),
    { numRuns: volume(30, 1_000) },
  )
})

test('a clock that is set back does not refill a bucket or stop its refill', () => {
  const policy = { rate: 1, burst: 1 }
  const [used, back, later] = [take(undefined, policy, moment(0)), -60_000, -58_000]
  const refused = take(used, policy, moment(back))
  expect(refused.granted).toBe(0)
  expect(take(refused, policy, moment(later)).granted).toBe(1)
})

test('a request after the stated wait is granted', () => {
  fc.assert(
    fc.property(policies, fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 50 }), (policy, gaps) => {
      let clock = 0
      let state = take(undefined, policy, moment(0))
      for (const gap of gaps) {
        clock += gap
        state = take(state, policy, moment(clock))
      }
      while (state.granted) state = take(state, policy, moment(clock))
      const { retryAfter, resetAt, remaining } = read(state, policy)
      expect([remaining, take(state, policy, moment(clock + retryAfter * 1_000)).granted]).toEqual([0, 1])
      const atReset = take(state, policy, new Date(resetAt * 1_000))
      expect(read(atReset, policy).remaining).toBe(policy.burst - 1)
    }),
    { numRuns: volume(40, 2_000) },
  )
})

test('MongoDB decides over a bucket exactly as the pure function does', async () => {
  const { db } = await testDatabase()
  const buckets = db.collection<{ _id: number; bucket?: object }>('buckets')
  const state = fc.option(
    fc.record({
      tokens: fc.double({ min: 0, max: 100, noNaN: true }),
      at: fc.integer({ min: -100_000, max: 100_000 }),
    }),
    { nil: undefined },
  )
  const cases = fc.sample(
    fc.tuple(state, policies, fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 1, max: 150 })),
    volume(100, 500),
  )
  await buckets.insertMany(
    cases.map(([before], _id) => ({
      _id,
      ...(before ? { bucket: { tokens: before.tokens, at: moment(before.at) } } : {}),
    })),
  )
  for (const [_id, [before, policy, now, requests]] of cases.entries()) {
    const update = [{ $set: { bucket: takeExpression('$bucket', policy, { requests, now: moment(now) }) } }]
    const stored = await buckets.findOneAndUpdate({ _id }, update, { returnDocument: 'after' })
    const pure = take(before && { tokens: before.tokens, at: moment(before.at) }, policy, moment(now), requests)
    expect(stored?.bucket).toEqual(pure)
  }
})

test.each([
  [{ rate: 2, burst: 5 }, 'api;q=5;w=3'],
  [{ rate: 10, burst: 30 }, 'api;q=30;w=3'],
  [{ rate: 5, burst: 20 }, 'api;q=20;w=4'],
  [{ rate: 0.0167, burst: 3 }, 'api;q=3;w=180'],
])('the headers of %o describe its bucket', (policy, expected) => {
  const headers = rateLimitHeaders(read(take(undefined, policy, moment(0)), policy))
  expect(headers['ratelimit-policy']).toBe(expected)
  expect(headers.ratelimit).toBe(`api;r=${policy.burst - 1};t=${Math.ceil(1 / policy.rate)}`)
  expect(headers['x-ratelimit-limit']).toBe(String(policy.burst))
  expect(headers['x-ratelimit-remaining']).toBe(String(policy.burst - 1))
  expect(headers['x-ratelimit-reset']).toBe(String(Math.ceil(START / 1000 + 1 / policy.rate)))
})
