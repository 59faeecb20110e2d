import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { checkKeyLimits, createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { spendingPeriods } from '@placefleet/coordinator/billing/ledger/store'
import { checkMaxCost, creditString, FREE, placesWithin } from '@placefleet/coordinator/billing/prices/cost'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryLedger } from './memory-ledger.ts'

const user_id = 'user'
const DAY_MS = 86_400_000

test.each([
  ['2026-03-01T00:00:00.000Z', '2026-03-01', '2026-03-01'],
  ['2026-02-28T23:59:59.999Z', '2026-02-28', '2026-02-01'],
  ['2026-12-31T12:00:00.000Z', '2026-12-31', '2026-12-01'],
])('%s counts from the days %s and %s on', (at, day, month) => {
  expect(spendingPeriods(new Date(at))).toEqual({ day: new Date(day), month: new Date(month) })
})

describe('a key that may spend 0.10 a day', () => {
  const limits = { day: '0.10', month: '1' }

  test.each([
    { spent: 'nothing', spending: { day: 0, month: 0 }, most: 100_000 },
    { spent: 'all but one of its day', spending: { day: 99_999, month: 99_999 }, most: 1 },
    { spent: '0.95 of its month', spending: { day: 0, month: 950_000 }, most: 50_000 },
    { spent: 'more than its day', spending: { day: 100_001, month: 0 }, most: 0 },
  ])('that spent $spent may spend $most more', ({ spending, most }) => {
    expect(() => checkKeyLimits(limits, spending, most)).not.toThrow()
    expect(() => checkKeyLimits(limits, spending, most + 1)).toThrow(/may spend .* a (day|month) \(UTC\)/)
  })

  test('says how much is left and what to do', () => {
    expect(() => checkKeyLimits(limits, { day: 60_000, month: 60_000 }, 157_000)).toThrow(
      'This API key may spend 0.100000 credits a day (UTC). 0.040000 are left, and the job may cost 0.157000. ' +
        'Lower `max_cost`, or raise the limit of the key with a session.',
    )
  })
})

test('without a limit there is none', () => {
  expect(() => checkKeyLimits({}, { day: 1e12, month: 1e12 }, 1e12)).not.toThrow()
})

test('a `max_cost` below the start and one place says what both cost', () => {
  const job = { max_cost: '0.001', include_emails: true, website_filter: 'all' as const }
  const prices = { job_start: 7_000, place_scraped: 3_000, contact_details: 2_000 }
  const check = () => checkMaxCost(job, { ...FREE, ...prices })
  expect(check).toThrow(
    '`max_cost` must be at least 0.012000: the start of the job costs 0.007000 credits and one place 0.005000',
  )
  expect(() => checkMaxCost({ ...job, max_cost: '0.012' }, { ...FREE, ...prices })).not.toThrow()
  expect(() => checkMaxCost({ ...job, max_cost: '0.011999' }, { ...FREE, ...prices })).toThrow('at least 0.012000')
})

test.each([
  { amount: 6_999, start: 7_000, each: 3_000, places: 0 },
  { amount: 9_999, start: 7_000, each: 3_000, places: 0 },
  { amount: 10_000, start: 7_000, each: 3_000, places: 1 },
  { amount: 6_999, start: 7_000, each: 0, places: 0 },
  { amount: 7_000, start: 7_000, each: 0, places: Infinity },
])('$amount pays for $places places of $each after a start of $start', ({ amount, start, each, places }) => {
  expect(placesWithin(amount, (count) => start + count * each)).toBe(places)
})

/** The holds of an account of one credit. */
async function richAccount(now?: () => Date) {
  const ledger = createLedger(memoryLedger(undefined, now))
  const reference = { reference_type: 'grant', reference_id: 'first' }
  await grant(ledger, { user_id, amount: 1_000_000, type: 'bonus', reference, description: 'given' })
  return createHolds(ledger)
}

test('what a job left of its hold can be spent again, after a charge for its start too', async () => {
  const holds = await richAccount()
  const key = { id: 'key', limits: { day: '0.10' } }
  const first = { user_id, job_id: 'first', job_name: 'x' }
  await holds.reserve({ ...first, max: 90_000, min: 1, key })
  await holds.chargeStart({ ...first, price: 7_000 })
  await holds.settle({ ...first, total: 13_000 })
  const next = (max: number) => holds.reserve({ user_id, job_id: `of ${max}`, max, min: 1, key })
  await expect(next(87_001)).rejects.toMatchObject({ code: 'key_limit' })
  expect(await next(87_000)).toEqual({ held: 87_000 })
})

const step = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    most: fc.integer({ min: 1, max: 60 }),
    key: fc.constantFrom('a', 'b'),
  }),
  fc.record({ do: fc.constant('end' as const), nth: fc.nat({ max: 30 }), total: fc.nat({ max: 90 }) }),
  fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(0.3, 1, 20) }),
)

test('for any costs and ends of its jobs, no day or month of a key costs more than its limit', async () => {
  const limits = { day: creditString(100), month: creditString(250) }
  const run = async (steps: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
    let now = Date.UTC(2026, 0, 28, 20)
    const holds = await richAccount(() => new Date(now))
    const jobs: { job_id: string; key: string; at: Date }[] = []
    const ends: Promise<unknown>[] = []
    for (const one of steps) {
      if (one.do === 'wait') {
        await Promise.allSettled(ends)
        now += one.days * DAY_MS
      } else if (one.do === 'create') {
        const job_id = `job ${jobs.length}`
        jobs.push({ job_id, key: one.key, at: new Date(now) })
        ends.push(holds.reserve({ user_id, job_id, max: one.most, min: 1, key: { id: one.key, limits } }))
      } else {
        const job = jobs[one.nth % Math.max(1, jobs.length)]
        if (job) ends.push(holds.settle({ user_id, job_id: job.job_id, job_name: 'x', total: one.total }))
      }
    }
    for (const ended of await Promise.allSettled(ends)) {
      if (ended.status === 'rejected') expect(['key_limit', 'conflict']).toContain(ended.reason.code)
    }
    const spent = new Map<string, number>()
    for (const { job_id, key, at } of jobs) {
      const { held = 0, charged = 0 } = (await holds.of(user_id, job_id)) ?? {}
      for (const length of [10, 7]) {
        const period = `${key} ${at.toISOString().slice(0, length)}`
        spent.set(period, (spent.get(period) ?? 0) + held + charged)
      }
    }
    for (const [period, cost] of spent) expect(cost, period).toBeLessThanOrEqual(period.length > 10 ? 100 : 250)
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30 }), run))
})
