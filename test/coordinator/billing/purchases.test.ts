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
const refund = { user_id, kind: 'refund', id: 're_1', round: 0 } as const
const dispute = { user_id, kind: 'dispute', id: 'du_1', round: 0 } as const

function account(store: MemoryLedger = memoryLedger(), over: LedgerStore = store) {
  const ledger = createLedger(over)
  const purchases = createPurchases(ledger)
  const buy = (session_id: string, amount: number) => purchases.record({ user_id, session_id, amount })
  const rows = () => store.all.map(({ type, amount, balance_after }) => [type, amount, balance_after])
  return { store, ledger, holds: createHolds(ledger), purchases, buy, rows, state: () => ledger.state(user_id) }
}

/** Returns an account that bought some credits, of which a job holds some. */
async function holding(bought: number, max: number) {
  const made = account()
  await made.buy('cs_1', bought)
  await made.holds.reserve({ ...job, max, min: 1 })
  return { ...made, end: (total: number) => made.holds.settle({ ...job, total }) }
}

/** Returns an account that bought some credits, of which a job spent some. */
async function spent(bought = 10, total = 4) {
  const made = await holding(bought, total)
  await made.end(total)
  return made
}

const thrice = async (call: () => Promise<void>) => {
  for (let again = 0; again < 3; again++) await call()
}

describe('a purchase', () => {
  test('is credited once per session, and counts as purchased', async () => {
    const { buy, state, store } = account()
    await thrice(() => buy('cs_1', 10))
    expect(await state()).toEqual({ seq: 1, balance: 10, held: 0, deficit: 0, total_purchased: 10 })
    expect(store.all[0]).toMatchObject({ type: 'purchase', reference_type: 'checkout_session', reference_id: 'cs_1' })
  })

  test('pays the deficit of the account first', async () => {
    const { purchases, buy, state, rows } = await spent()
    await purchases.takeBack({ ...refund, amount: 10 })
    await buy('cs_2', 3)
    expect(await state()).toMatchObject({ balance: 0, deficit: 1 })
    await buy('cs_3', 5)
    expect(await state()).toMatchObject({ balance: 4, deficit: 0, total_purchased: 18 })
    expect(rows().slice(3)).toEqual([
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
    await purchases.takeBack({ ...refund, amount: 10 })
    const cut = account(store, crashing(store, ['none', 'before']))
    await expect(cut.buy('cs_2', 10)).rejects.toBeInstanceOf(Crash)
    const next = { user_id, job_id: 'next', max: 9 }
    await expect(holds.reserve({ ...next, min: 7 })).rejects.toMatchObject({ code: 'insufficient_credits' })
    expect(await holds.reserve({ ...next, min: 1 })).toEqual({ held: 6 })
  })
})

describe('a refund', () => {
  test('takes back the unspent credits', async () => {
    const { purchases, buy, state, store } = account()
    await buy('cs_1', 10)
    await thrice(() => purchases.takeBack({ ...refund, amount: 4 }))
    expect(await state()).toMatchObject({ balance: 6, deficit: 0, total_purchased: 10 })
    expect(store.all.at(-1)).toMatchObject({ type: 'refund', reference_type: 'refund', reference_id: 're_1' })
    expect(store.all).toHaveLength(2)
  })

  test('of spent credits becomes a deficit, with a description', async () => {
    const { purchases, state, store } = await spent()
    await purchases.takeBack({ ...refund, amount: 10 })
    expect(await state()).toMatchObject({ balance: 0, deficit: 4 })
    expect(store.all.at(-1)).toMatchObject({
      type: 'refund_deficit',
      amount: 0,
      deficit_change: 4,
      description: expect.stringContaining('0.000004 credits were spent or reserved'),
    })
  })

  test('that grows after its deficit was recorded is owed in full, each growth once', async () => {
    const { purchases, state } = await spent()
    for (const amount of [8, 12, 12, 13]) await purchases.takeBack({ ...dispute, amount })
    expect(await state()).toMatchObject({ balance: 0, deficit: 7 })
    await purchases.giveBack(dispute)
    expect(await state()).toMatchObject({ balance: 6, deficit: 0 })
  })

  test('leaves the hold of a running job, and takes its released credits', async () => {
    const { purchases, buy, end, state } = await holding(10, 8)
    await purchases.takeBack({ ...dispute, amount: 10 })
    await end(3)
    expect(await state()).toMatchObject({ balance: 5, held: 0, deficit: 8 })
    expect(available(await state())).toBe(0)
    await buy('cs_2', 10)
    expect(await state()).toMatchObject({ balance: 7, deficit: 0 })
  })

  test('that is owed in full is not taken as well when it is handled again', async () => {
    const { purchases, end, state } = await holding(10, 10)
    await purchases.takeBack({ ...refund, amount: 10 })
    await end(0)
    await purchases.takeBack({ ...refund, amount: 10 })
    expect(await state()).toMatchObject({ balance: 10, deficit: 10 })
  })

  test('is paid by the next purchase, but not from the hold of a running job', async () => {
    const { purchases, buy, state } = await holding(10, 8)
    await purchases.takeBack({ ...refund, amount: 10 })
    await buy('cs_2', 5)
    expect(await state()).toMatchObject({ balance: 8, held: 8, deficit: 3 })
  })

  test.each<TakeBackKind>(['refund', 'dispute'])('that is undone (%s) gives everything back, once', async (kind) => {
    const { purchases, state, rows } = await spent()
    const taken = { ...refund, kind }
    await purchases.takeBack({ ...taken, amount: 10 })
    await thrice(() => purchases.giveBack(taken))
    expect(rows().slice(-2)).toEqual([
      ['adjustment', 10, 10],
      ['deficit_paydown', -4, 6],
    ])
    await purchases.takeBack({ ...taken, amount: 10 }) // a straggler that was told before it was undone
    expect(await state()).toMatchObject({ balance: 6, deficit: 0 })
  })

  test('that is undone and comes back is taken a second time, and given back a second time', async () => {
    const { purchases, state, store } = await spent()
    for (const round of [0, 1]) {
      await thrice(() => purchases.takeBack({ ...dispute, round, amount: 10 }))
      expect(await state()).toMatchObject({ balance: 0, deficit: 4 })
      expect(await purchases.refundState(user_id, 'du_1')).toEqual({ taken: 6, short: 4, round })
      await thrice(() => purchases.giveBack({ ...dispute, round }))
      expect(await state()).toMatchObject({ balance: 6, deficit: 0 })
    }
    expect((await verifyEntries(store.entries(user_id))).faults).toEqual([])
  })

  test('that is undone between its two entries leaves no deficit', async () => {
    const { purchases, state, store } = await spent()
    const cut = account(store, crashing(store, ['after']))
    await expect(cut.purchases.takeBack({ ...refund, amount: 10 })).rejects.toThrow()
    await purchases.giveBack(refund)
    await purchases.takeBack({ ...refund, amount: 10 })
    expect(await state()).toMatchObject({ balance: 6, deficit: 0 })
  })

  test('that is undone after all of it was owed is not taken again by a late message', async () => {
    const { purchases, buy, state } = await spent(4, 4)
    await purchases.takeBack({ ...refund, amount: 4 })
    expect(await purchases.refundState(user_id, 're_1')).toEqual({ taken: 0, short: 4, round: 0 })
    await purchases.giveBack(refund)
    await buy('cs_2', 10)
    await purchases.takeBack({ ...refund, amount: 4 })
    expect(await state()).toMatchObject({ balance: 10, deficit: 0 })
  })

  test('that is undone before anything was taken changes nothing', async () => {
    const { purchases, store } = await spent()
    await purchases.giveBack(refund)
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

async function make({ holds, purchases, buy, ledger }: ReturnType<typeof account>, step: Step): Promise<void> {
  const number = `${step.of}`
  const ofJob = { user_id, job_id: number, job_name: number }
  switch (step.do) {
    case 'buy':
      return buy(number, step.amount)
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
    const { balance, deficit } = await made.state()
    expect(balance).toBe(store.all.reduce((sum, entry) => sum + entry.amount, 0))
    expect(deficit).toBe(store.all.reduce((sum, entry) => sum + entry.deficit_change, 0))
  }
  await fc.assert(fc.asyncProperty(steps, faults, run), { numRuns: volume(50, 1_000) })
})
