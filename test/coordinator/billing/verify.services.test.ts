import { ledgerEntries } from '@placefleet/coordinator/billing/ledger/documents'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { DEFAULT_PRICES, jobCost } from '@placefleet/coordinator/billing/prices/cost'
import { type VerifyDeps, verifyLedger } from '@placefleet/coordinator/billing/verify/verify'
import type { JobToVerify } from '@placefleet/coordinator/billing/verify/verify-job'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const store = mongoLedgerStore(db)
const ledger = createLedger(store)
const holds = createHolds(ledger)
const totals = { places: 10, reviews: 4, images: 2 }
const LATER = 3_600_000
let users = 0

const finished: JobToVerify = {
  job_id: 'job',
  prices: DEFAULT_PRICES,
  totals,
  include_emails: true,
  website_filter: 'all',
  started: true,
  final: true,
  ended_at: new Date(),
  total_cost: jobCost({ prices: DEFAULT_PRICES, totals, include_emails: true, website_filter: 'all', started: true })
    .total,
}

/** Returns a user with a bonus and one finished job, charged as it should be. */
async function sound() {
  const user_id = `user-${++users}`
  const reference = { reference_type: 'grant', reference_id: 'first' }
  await grant(ledger, { user_id, amount: 1_000_000, type: 'bonus', reference, description: 'given' })
  await holds.reserve({ user_id, job_id: 'job', max: 500_000, min: 1 })
  await holds.chargeStart({ user_id, job_id: 'job', job_name: 'Cafés', price: DEFAULT_PRICES.job_start })
  await holds.settle({ user_id, job_id: 'job', job_name: 'Cafés', total: finished.total_cost ?? 0 })
  return user_id
}

async function* listed<Item>(items: Item[]) {
  yield* items
}

/** What a ledger with these jobs is verified against. */
const depsOf = (user_id: string, jobs: JobToVerify[], storedTotals = async () => totals): VerifyDeps => ({
  store,
  owners: () => listed([user_id]),
  jobsOf: (owner) => listed(owner === user_id ? jobs : []),
  existing: async () => new Set(jobs.map(({ job_id }) => job_id)),
  countFaults: async () => [],
  storedTotals: async (ids) => {
    const stored = await storedTotals()
    return new Map(ids.map((id) => [id, stored]))
  },
})

async function deviations(user_id: string, jobs: JobToVerify[], stored = totals) {
  const verified = await verifyLedger(
    { ...depsOf(user_id, jobs, async () => stored), now: () => new Date(Date.now() + LATER) },
    { user_id },
  )
  return verified.deviations.map(({ subject, message }) => `${subject}: ${message}`)
}

test('a sound account has no deviations, whether its job is still there or deleted', async () => {
  const user_id = await sound()
  expect(await deviations(user_id, [finished])).toEqual([])
  expect(await deviations(user_id, [])).toEqual([])
})

test('without a user all users are verified, including jobs without entries', async () => {
  await ledgerEntries(db).deleteMany({}) // of other tests
  await sound()
  const verified = await verifyLedger(depsOf('stranger', [finished]))
  expect(verified.users).toBe(2)
  expect(verified.jobs).toBe(1)
  expect(verified.deviations).toEqual([
    { user_id: 'stranger', subject: 'job job', message: 'has no hold in the ledger' },
  ])
})

test.each<[string, (user_id: string) => Promise<unknown>, string]>([
  [
    'an amount that was changed',
    (user_id) => ledgerEntries(db).updateOne({ user_id, seq: 1 }, { $set: { amount: 1_000_001 } }),
    'entry 1: balance is 1000000; with this entry it comes to 1000001',
  ],
  [
    'an entry that was removed',
    (user_id) => ledgerEntries(db).deleteOne({ user_id, seq: 3 }),
    'entry 4: seq is 4; with this entry it comes to 3',
  ],
  [
    'a balance below zero',
    (user_id) => ledgerEntries(db).updateOne({ user_id, seq: 1 }, { $set: { balance_after: -5 } }),
    'entry 1: a sum is below zero',
  ],
])('%s is reported', async (_, spoil, message) => {
  const user_id = await sound()
  await spoil(user_id)
  expect(await deviations(user_id, [finished])).toContain(message)
})

describe('a job that does not match is reported:', () => {
  test.each<[string, Partial<JobToVerify>, typeof totals, string[]]>([
    [
      'a place that is stored and not counted',
      {},
      { ...totals, places: 11 },
      [
        'counts 10 places; 11 are stored',
        'was charged 0.060000; what is stored costs 0.065000',
        'shows a cost of 0.060000; what is stored costs 0.065000',
      ],
    ],
    [
      'a review that was charged and is not stored',
      {},
      { ...totals, reviews: 3 },
      [
        'counts 4 reviews; 3 are stored',
        'was charged 0.060000; what is stored costs 0.059500',
        'shows a cost of 0.060000; what is stored costs 0.059500',
      ],
    ],
    [
      'another cost than what was charged',
      { total_cost: 1 },
      totals,
      ['shows a cost of 0.000001; what is stored costs 0.060000'],
    ],
    ['no cost', { total_cost: undefined }, totals, ['shows a cost of nothing; what is stored costs 0.060000']],
    ['a settlement of a job that has not ended', { final: false }, totals, ['is settled, but has not ended']],
  ])('%s, as what it is', async (_, change, stored, messages) => {
    const user_id = await sound()
    const found = await deviations(user_id, [{ ...finished, ...change }], stored)
    expect(found).toEqual(messages.map((message) => `job job: ${message}`))
  })

  test('a hold that was never settled, of a job that ended or that is gone', async () => {
    const user_id = await sound()
    await holds.reserve({ user_id, job_id: 'open', max: 500, min: 1 })
    const open = { ...finished, job_id: 'open', total_cost: undefined }
    expect(await deviations(user_id, [finished, open])).toEqual(['job open: has ended, but its hold was not settled'])
    expect(await deviations(user_id, [finished])).toEqual(['job open: does not exist, but still holds 0.000500'])
    expect(await deviations(user_id, [finished, { ...open, final: false }])).toEqual([])
  })
})

test('a job that is settled and about to be shown as ended is no deviation, nor an end that is still being settled', async () => {
  const user_id = await sound()
  await holds.reserve({ user_id, job_id: 'open', max: 500, min: 1 })
  const ending = { ...finished, job_id: 'open', total_cost: undefined, ended_at: new Date() }
  const jobs = [{ ...finished, final: false }, ending]
  expect((await verifyLedger(depsOf(user_id, jobs), { user_id })).deviations).toEqual([])
})

test('a difference that is gone at the second look is no deviation', async () => {
  const user_id = await sound()
  let looks = 0
  const storedTotals = async () => (looks++ === 0 ? { ...totals, places: 9 } : totals)
  const verified = await verifyLedger(depsOf(user_id, [finished], storedTotals), { user_id })
  expect(verified).toEqual({ users: 1, entries: 4, jobs: 1, deviations: [] })
})

test('the jobs of a user and their entries are compared fifty at a time', async () => {
  const user_id = await sound()
  const running = Array.from({ length: 120 }, (_, n) => ({ ...finished, job_id: `job ${n}`, final: false }))
  for (const { job_id } of running) await holds.reserve({ user_id, job_id, max: 1, min: 1 })
  const asked: number[] = []
  const counted =
    <Answer>(ask: (user_id: string, ids: string[]) => Promise<Answer>) =>
    (owner: string, ids: string[]) => {
      asked.push(ids.length)
      return ask(owner, ids)
    }
  const deps = depsOf(user_id, [...running, finished])
  const countedStore = { ...store, entriesAbout: counted(store.entriesAbout) }
  const verified = await verifyLedger({ ...deps, store: countedStore, existing: counted(deps.existing) }, { user_id })
  expect(verified).toEqual({ users: 1, entries: 124, jobs: 121, deviations: [] })
  expect(Math.max(...asked)).toBe(50)
  expect(asked).toHaveLength(6)
})
