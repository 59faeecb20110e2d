import { ledgerEntries } from '@placefleet/coordinator/billing/ledger/documents'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { createLedger, TRANSACTION_TYPES, type TransactionType } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { verifyEntries } from '@placefleet/coordinator/billing/verify/verify-entries'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'
import { play, type Story, stories } from './ledger-story.ts'

const { db } = await testDatabase()
const store = mongoLedgerStore(db)
let users = 0
const newUser = () => `user-${++users}`

const bonus = (user_id: string, amount: number, id: string) => ({
  user_id,
  amount,
  type: 'bonus' as const,
  reference: { reference_type: 'grant', reference_id: id },
  description: 'given',
})

test('64 appends at once from eight replicas make one unbroken chain', async () => {
  const user_id = newUser()
  const replicas = Array.from({ length: 8 }, () => createLedger(mongoLedgerStore(db)))
  const appends = replicas.flatMap((ledger, replica) =>
    Array.from({ length: 8 }, (_, index) => grant(ledger, bonus(user_id, index + 1, `${replica}-${index}`))),
  )
  await Promise.all(appends)
  const { count, faults } = await verifyEntries(store.entries(user_id))
  expect({ count, faults }).toEqual({ count: 64, faults: [] })
  expect(await replicas[0]?.state(user_id)).toMatchObject({ seq: 64, balance: 8 * ((8 * 9) / 2) })
})

test('a coordinator whose clock is a month ahead gives a key with a limit no second month', async () => {
  const user_id = newUser()
  const ledger = createLedger(store)
  await grant(ledger, bonus(user_id, 1_000_000, 'first'))
  const reserve = (job_id: string) =>
    createHolds(ledger).reserve({ user_id, job_id, max: 60, min: 60, key: { id: 'key', limits: { month: '0.0001' } } })
  await reserve('one')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 32 * 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
  await expect(reserve('two')).rejects.toMatchObject({ code: 'key_limit' })
})

test('amounts are stored as 64-bit integers, and stay exact far above 2,147 credits', async () => {
  const user_id = newUser()
  const amount = 123_456_789_012_345
  await grant(createLedger(store), bonus(user_id, amount, 'large'))
  const types = { amount: { $type: '$amount' }, balance: { $type: '$balance_after' }, held: { $type: '$held_change' } }
  const stored = await ledgerEntries(db)
    .aggregate([{ $match: { user_id } }, { $project: { _id: 0, ...types } }])
    .toArray()
  expect(stored).toEqual([{ amount: 'long', balance: 'long', held: 'long' }])
  expect(await store.last(user_id)).toMatchObject({ amount, balance_before: 0, balance_after: amount, held_change: 0 })
})

test('the history has only the requested types, newest first, in pages', async () => {
  const user_id = newUser()
  const ledger = createLedger(store)
  const holds = createHolds(ledger)
  for (const id of ['a', 'b', 'c']) await grant(ledger, bonus(user_id, 100, id))
  await holds.reserve({ user_id, job_id: 'job', max: 50, min: 1 })
  await holds.settle({ user_id, job_id: 'job', job_name: 'Cafés', total: 20 })
  const page = await store.history(user_id, { types: ['bonus', 'consumption'], skip: 1, limit: 2 })
  expect(page.total).toBe(4)
  expect(page.entries.map((entry) => entry.reference_id)).toEqual(['c', 'b'])
})

test('every account adds up after concurrent calls on two replicas over the real database', async () => {
  const run = (scheduler: fc.Scheduler, story: Story) => play(scheduler, store, newUser(), story)
  await fc.assert(fc.asyncProperty(fc.scheduler(), stories, run), { numRuns: 25 })
})

test('the number of entries has every one that was appended, by this process or another', async () => {
  const user_id = newUser()
  const [ledger, other] = [createLedger(store), createLedger(mongoLedgerStore(db))]
  const totalOf = async (...types: TransactionType[]) =>
    (await store.history(user_id, { types, skip: 0, limit: 1 })).total
  const totals = async () => [await totalOf(...TRANSACTION_TYPES), await totalOf('bonus'), await totalOf('adjustment')]
  expect(await totals()).toEqual([0, 0, 0])
  await grant(ledger, bonus(user_id, 1, 'one'))
  expect(await totals()).toEqual([1, 1, 0])
  await grant(other, bonus(user_id, 2, 'two'))
  await grant(ledger, { ...bonus(user_id, 3, 'three'), type: 'adjustment' })
  expect(await totals()).toEqual([3, 2, 1])
  expect(await totals()).toEqual([3, 2, 1])
})
