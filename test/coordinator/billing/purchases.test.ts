import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { available, createLedger, type LedgerStore } from '@placefleet/coordinator/billing/ledger/ledger'
import type { TakeBackKind } from '@placefleet/coordinator/billing/purchases/purchase-rules'
import { createPurchases, type Purchases } from '@placefleet/coordinator/billing/purchases/purchases'
import { verifyEntries } from '@placefleet/coordinator/billing/verify/verify-entries'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { Crash, crashing, type InsertFault, type MemoryLedger, memoryLedger } from './memory-ledger.ts'

const user_id = 'user'
const job = { user_id, job_id: 'job', job_name: 'Cafés' }

function account(store: MemoryLedger = memoryLedger(), over: LedgerStore = store) {
  const ledger = createLedger(over)
  return { store, ledger, holds: createHolds(ledger), purchases: createPurchases(ledger) }
}

/** Returns an account that bought 10, of which a job spent 4. */
async function spent() {
  const made = account()
  await made.purchases.record({ user_id, session_id: 'cs_1', amount: 10 })
  await made.holds.reserve({ ...job, max: 4, min: 4 })
  await made.holds.settle({ ...job, total: 4 })
  return made
}

const rows = (store: MemoryLedger) => store.all.map(({ type, amount, balance_after }) => [type, amount, balance_after])

describe('a purchase', () => {
  test('is credited once per session, and counts as purchased', async () => {
    const { purchases, ledger, store } = account()
    for (let again = 0; again < 3; again++) await purchases.record({ user_id, session_id: 'cs_1', amount: 10 })
    expect(await ledger.state(user_id)).toEqual({ seq: 1, balance: 10, held: 0, deficit: 0, total_purchased: 10 })
    expect(store.all[0]).toMatchObject({ type: 'purchase', reference_type: 'checkout_session', reference_id: 'cs_1' })
  })

  test('pays the deficit of the account first', async () => {
    const { purchases, ledger, store } = await spent()
    await purchases.takeBack({ user_id, kind: 'refund', id: 're_1', round: 0, amount: 10 })
    await purchases.record({ user_id, session_id: 'cs_2', amount: 3 })
    expect(await ledger.state(user_id)).toMatchObject({ balance: 0, deficit: 1 })
    await purchases.record({ user_id, session_id: 'cs_3', amount: 5 })
    expect(await ledger.state(user_id)).toMatchObject({ balance: 4, deficit: 0, total_purchased: 18 })
    expect(rows(store).slice(3)).toEqual([
      ['refund', -6, 0],
      ['refund_deficit', 0, 0],
      ['purchase', 3, 3],
      ['deficit_paydown', -3, 0],
      ['purchase', 5, 5],
      ['deficit_paydown', -1, 4],
    ])
  })

  test('with an interrupted paydown adds no spendable credits', async () => {
    const { purchases, holds, store } = await spent()
    await purchases.takeBack({ user_id, kind: 'refund', id: 're_1', round: 0, amount: 10 })
    const cut = account(store, crashing(store, ['none', 'before']))
    await expect(cut.purchases.record({ user_id, session_id: 'cs_2', amount: 10 })).rejects.toBeInstanceOf(Crash)
    await expect(holds.reserve({ user_id, job_id: 'next', max: 7, min: 7 })).rejects.toMatchObject({
      code: 'insufficient_credits',
    })
    expect(await holds.reserve({ user_id, job_id: 'next', max: 9, min: 1 })).toEqual({ held: 6 })
  })
})

describe('a refund', () => {
  test('takes back the unspent credits', async () => {
    const { purchases, ledger, store } = account()
    await purchases.record({ user_id, session_id: 'cs_1', amount: 10 })
    for (let again = 0; again < 3; again++)
      await purchases.takeBack({ user_id, kind: 'refund', id: 're_1', round: 0, amount: 4 })
    expect(await ledger.state(user_id)).toMatchObject({ balance: 6, deficit: 0, total_purchased: 10 })
    expect(store.all.at(-1)).toMatchObject({ type: 'refund', reference_type: 'refund', reference_id: 're_1' })
    expect(store.all).toHaveLength(2)
  })

  test('of spent credits becomes a deficit, with a description', async () => {
    const { purchases, ledger, store } = await spent()
    await purchases.takeBack({ user_id, kind: 'refund', id: 're_1', round: 0, amount: 10 })
    expect(await ledger.state(user_id)).toMatchObject({ balance: 0, deficit: 4 })
    expect(store.all.at(-1)).toMatchObject({
      type: 'refund_deficit',
      amount: 0,
      deficit_change: 4,
      description: expect.stringContaining('0.000004 credits were spent or reserved'),
    })
  })

  test('that grows after its deficit was recorded is owed in full, each growth once', async () => {
    const { purchases, ledger } = await spent()
    const dispute = { user_id, kind: 'dispute', id: 'du_1', round: 0 } as const
    for (const amount of [8, 9, 9, 12]) await purchases.takeBack({ ...dispute, amount })
    expect(await ledger.state(user_id)).toMatchObject({ balance: 0, deficit: 6 })
    await purchases.giveBack(dispute)
    expect(await ledger.state(user_id)).toMatchObject({ balance: 6, deficit: 0 })
  })

  test('leaves the hold of a running job, and takes its released credits', async () => {
    const { purchases, holds, ledger } = account()
    await purchases.record({ user_id, session_id: 'cs_1', amount: 10 })
    await holds.reserve({ ...job, max: 8, min: 1 })
    await purchases.takeBack({ user_id, kind: 'dispute', id: 'du_1', round: 0, amount: 10 })
    await holds.settle({ ...job, total: 3 })
    const state = await ledger.state(user_id)
    expect(state).toMatchObject({ balance: 5, held: 0, deficit: 8 })
    expect(available(state)).toBe(0)
    await purchases.record({ user_id, session_id: 'cs_2', amount: 10 })
    expect(await ledger.state(user_id)).toMatchObject({ balance: 7, deficit: 0 })
  })

  test('that is owed in full is not taken as well when it is handled again', async () => {
    const { purchases, holds, ledger } = account()
    const refund = { user_id, kind: 'refund', id: 're_1', round: 0, amount: 10 } as const
    await purchases.record({ user_id, session_id: 'cs_1', amount: 10 })
    await holds.reserve({ ...job, max: 10, min: 1 })
    await purchases.takeBack(refund)
    await holds.settle({ ...job, total: 0 })
    await purchases.takeBack(refund)
    expect(await ledger.state(user_id)).toMatchObject({ balance: 10, deficit: 10 })
  })

  test('is paid by the next purchase, but not from the hold of a running job', async () => {
    const { purchases, holds, ledger } = account()
    await purchases.record({ user_id, session_id: 'cs_1', amount: 10 })
    await holds.reserve({ ...job, max: 8, min: 1 })
    await purchases.takeBack({ user_id, kind: 'refund', id: 're_1', round: 0, amount: 10 })
    await purchases.record({ user_id, session_id: 'cs_2', amount: 5 })
    expect(await ledger.state(user_id)).toMatchObject({ balance: 8, held: 8, deficit: 3 })
  })

  test.each<TakeBackKind>(['refund', 'dispute'])('that is undone (%s) gives everything back, once', async (kind) => {
    const { purchases, ledger, store } = await spent()
    await purchases.takeBack({ user_id, kind, id: 'x_1', round: 0, amount: 10 })
    for (let again = 0; again < 3; again++) await purchases.giveBack({ user_id, kind, id: 'x_1', round: 0 })
    expect(await ledger.state(user_id)).toMatchObject({ balance: 6, deficit: 0 })
    expect(rows(store).slice(-2)).toEqual([
      ['adjustment', 10, 10],
      ['deficit_paydown', -4, 6],
    ])
    await purchases.takeBack({ user_id, kind, id: 'x_1', round: 0, amount: 10 }) // a straggler that was told before it was undone
    expect(await ledger.state(user_id)).toMatchObject({ balance: 6, deficit: 0 })
  })

  test('that is undone and comes back is taken a second time, and given back a second time', async () => {
    const { purchases, ledger, store } = await spent()
    for (const round of [0, 1]) {
      const dispute = { user_id, kind: 'dispute', id: 'du_1', round } as const
      for (let again = 0; again < 2; again++) await purchases.takeBack({ ...dispute, amount: 10 })
      expect(await ledger.state(user_id)).toMatchObject({ balance: 0, deficit: 4 })
      expect(await purchases.refundState(user_id, 'du_1')).toEqual({ taken: 6, short: 4, round })
      for (let again = 0; again < 2; again++) await purchases.giveBack(dispute)
      expect(await ledger.state(user_id)).toMatchObject({ balance: 6, deficit: 0 })
    }
    expect((await verifyEntries(store.entries(user_id))).faults).toEqual([])
  })

  test('that is undone between its two entries leaves no deficit', async () => {
    const { purchases, ledger, store } = await spent()
    const cut = account(store, crashing(store, ['after']))
    await expect(
      cut.purchases.takeBack({ user_id, kind: 'refund', id: 're_1', round: 0, amount: 10 }),
    ).rejects.toThrow()
    await purchases.giveBack({ user_id, kind: 'refund', id: 're_1', round: 0 })
    await purchases.takeBack({ user_id, kind: 'refund', id: 're_1', round: 0, amount: 10 })
    expect(await ledger.state(user_id)).toMatchObject({ balance: 6, deficit: 0 })
  })

  test('that is undone after all of it was owed is not taken again by a late message', async () => {
    const { purchases, holds, ledger } = account()
    await purchases.record({ user_id, session_id: 'cs_1', amount: 4 })
    await holds.reserve({ ...job, max: 4, min: 4 })
    await holds.settle({ ...job, total: 4 })
    const refund = { user_id, kind: 'refund', id: 're_1', round: 0 } as const
    await purchases.takeBack({ ...refund, amount: 4 })
    expect(await purchases.refundState(user_id, 're_1')).toEqual({ taken: 0, short: 4, round: 0 })
    await purchases.giveBack(refund)
    await purchases.record({ user_id, session_id: 'cs_2', amount: 10 })
    await purchases.takeBack({ ...refund, amount: 4 })
    expect(await ledger.state(user_id)).toMatchObject({ balance: 10, deficit: 0 })
  })

  test('that is undone before anything was taken changes nothing', async () => {
    const { purchases, store } = await spent()
    await purchases.giveBack({ user_id, kind: 'refund', id: 're_1', round: 0 })
    expect(store.all).toHaveLength(3)
  })
})

type Step =
  | { do: 'buy' | 'bonus' | 'hold' | 'settle'; amount: number; of: number }
  | { do: 'take' | 'give'; kind: TakeBackKind; amount: number; of: number }

const amount = fc.integer({ min: 1, max: 20 })
const of = fc.nat({ max: 3 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constantFrom('buy' as const, 'bonus', 'hold', 'settle'), amount, of }),
    fc.record({ do: fc.constantFrom('take' as const, 'give'), kind: fc.constantFrom('refund', 'dispute'), amount, of }),
  ),
  { maxLength: 25 },
)

async function ofMovement(purchases: Purchases, { kind, of }: { kind: TakeBackKind; of: number }) {
  const id = `${of}`
  return { user_id, kind, id, round: (await purchases.refundState(user_id, id)).round }
}

async function make({ holds, purchases, ledger }: ReturnType<typeof account>, step: Step): Promise<void> {
  const number = `${step.of}`
  const ofJob = { user_id, job_id: number, job_name: number }
  switch (step.do) {
    case 'buy':
      return purchases.record({ user_id, session_id: number, amount: step.amount })
    case 'bonus': {
      const reference = { reference_type: 'grant', reference_id: number }
      await grant(ledger, { user_id, amount: step.amount, type: 'bonus', reference, description: 'given' })
      return
    }
    case 'hold':
      await holds.reserve({ ...ofJob, max: step.amount, min: 0 })
      return
    case 'settle':
      await holds.settle({ ...ofJob, total: step.amount })
      return
    case 'take':
      return purchases.takeBack({ ...(await ofMovement(purchases, step)), amount: step.amount })
    case 'give':
      return purchases.giveBack(await ofMovement(purchases, step))
  }
}

test('every account adds up after purchases, spending, refunds and their failures, with crashes between', async () => {
  const faults = fc.array(fc.constantFrom<InsertFault>('none', 'none', 'before', 'after'), { maxLength: 10 })
  const run = async (told: Step[], inserts: InsertFault[]) => {
    const store = memoryLedger((entry) => {
      expect(entry.balance_after).toBeGreaterThanOrEqual(entry.held_after)
      expect(Math.min(entry.held_after, entry.deficit_after)).toBeGreaterThanOrEqual(0)
    })
    const made = account(store, crashing(store, inserts))
    for (const step of told) {
      try {
        await make(made, step)
      } catch (error) {
        const refused = error instanceof Error && 'code' in error && error.code === 'conflict' // a job that was released
        if (!(error instanceof Crash) && !refused) throw error
      }
    }
    expect((await verifyEntries(store.entries(user_id))).faults).toEqual([])
    // What is left of the deficits, and of the credits, follows from the entries that moved them.
    const { balance, deficit } = await made.ledger.state(user_id)
    expect(balance).toBe(store.all.reduce((sum, entry) => sum + entry.amount, 0))
    expect(deficit).toBe(store.all.reduce((sum, entry) => sum + entry.deficit_change, 0))
  }
  await fc.assert(fc.asyncProperty(steps, faults, run), { numRuns: volume(50, 1_000) })
})
