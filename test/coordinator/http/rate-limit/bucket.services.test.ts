import { take, takeExpression } from '@placefleet/coordinator/http/rate-limit'
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
