import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { describe, expect, test } from 'vitest'
import { Crash, crashing, type InsertFault, memoryLedger } from './memory-ledger.ts'

const user_id = 'user'
const job_id = 'job'
const job_name = 'Cafés'
const hold = { user_id, job_id, max: 300, min: 100 }

async function account(credits: number, faults: InsertFault[] = []) {
  const store = memoryLedger()
  const reference = { reference_type: 'grant', reference_id: 'first' }
  const plain = createLedger(store)
  if (credits > 0) await grant(plain, { user_id, amount: credits, type: 'bonus', reference, description: 'given' })
  const ledger = createLedger(crashing(store, faults))
  return { store, ledger, holds: createHolds(ledger), state: () => ledger.state(user_id) }
}

/** An account of 1,000 that holds `max` for the job. */
async function held(max = 300) {
  const made = await account(1_000)
  await made.holds.reserve({ ...hold, max, min: 1 })
  return made
}

describe('a hold', () => {
  test.each([
    [1_000, 300],
    [299, 299],
    [100, 100],
  ])('of an account with %d reserves %d for a job that costs 100 to 300', async (credits, reserved) => {
    const { holds, state } = await account(credits)
    expect(await holds.reserve(hold)).toEqual({ held: reserved })
    expect(await state()).toMatchObject({ balance: credits, held: reserved })
  })

  test('is refused with both figures when too little is available, without an entry', async () => {
    const { holds, store } = await account(120_000)
    await holds.reserve({ user_id, job_id: 'other', max: 20_001, min: 1 })
    await expect(holds.reserve({ ...hold, max: 457_000, min: 100_000 })).rejects.toMatchObject({
      code: 'insufficient_credits',
      message: 'The job may cost 0.100000 credits or more; 0.099999 credits are available.',
    })
    expect(store.all).toHaveLength(2)
  })

  test('that was prepared is placed by one write, without another look at the account', async () => {
    const { store } = await account(1_000)
    let reads = 0
    const last = (of: string) => {
      reads += 1
      return store.last(of)
    }
    const place = await createHolds(createLedger({ ...store, last })).prepare(hold)
    expect(store.all).toHaveLength(1)
    expect(await place()).toEqual({ held: 300 })
    expect([reads, store.all.length]).toEqual([1, 2])
  })

  test('that was prepared is decided on again when credits went meanwhile', async () => {
    const { holds } = await account(1_000)
    const place = await holds.prepare({ ...hold, max: 900 })
    await holds.reserve({ user_id, job_id: 'other', max: 800, min: 1 })
    expect(await place()).toEqual({ held: 200 })
  })

  test('that was prepared is refused when too little is left of the account or of the limit of its key', async () => {
    const { holds, store } = await account(1_000_000)
    const [max, min] = [100_000, 100_000]
    const key = { id: 'key', limits: { day: '0.15' } }
    const limited = await holds.prepare({ user_id, job_id: 'limited', max, min, key })
    const place = await holds.prepare({ user_id, job_id, max, min })
    await holds.reserve({ user_id, job_id: 'of the key', max, min, key })
    await expect(limited()).rejects.toMatchObject({ code: 'key_limit' })
    await holds.reserve({ user_id, job_id: 'other', max: 850_000, min: 1 })
    await expect(place()).rejects.toMatchObject({ code: 'insufficient_credits' })
    expect(store.all).toHaveLength(3)
  })

  test.each(['before', 'after'] as const)(
    'that was prepared is placed once, when the process died $0 it was stored',
    async (fault) => {
      const { holds, store } = await account(300, [fault])
      const place = await holds.prepare(hold)
      await expect(place()).rejects.toThrow(Crash)
      expect(await place()).toEqual({ held: 300 })
      expect(store.all).toHaveLength(2)
    },
  )

  test('that is requested again is the same hold, even with no credits left', async () => {
    const { holds, store } = await account(300)
    for (let again = 0; again < 2; again++) expect(await holds.reserve(hold)).toEqual({ held: 300 })
    expect(store.all).toHaveLength(2)
  })

  test('cannot be placed for a job that was released, nor one that was prepared before', async () => {
    const { holds } = await account(300)
    const place = await holds.prepare(hold)
    await holds.void({ user_id, job_id })
    await expect(place()).rejects.toMatchObject({ code: 'conflict' })
    await expect(holds.reserve(hold)).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('a job', () => {
  test('is charged its start, then the rest, and its hold is freed', async () => {
    const { holds, state, store } = await held()
    await holds.chargeStart({ user_id, job_id, job_name, price: 7 })
    expect(await holds.of(user_id, job_id)).toEqual({ held: 293, charged: 7, settled: false })
    expect(await holds.settle({ user_id, job_id, job_name, total: 107 })).toEqual({ charged: 107 })
    expect(await state()).toMatchObject({ balance: 893, held: 0 })
    expect(store.all.map(({ type, amount, held_change }) => [type, amount, held_change])).toEqual([
      ['bonus', 1_000, 0],
      ['hold', 0, 300],
      ['consumption', -7, -7],
      ['consumption', -100, -293],
    ])
  })

  test.each([
    { what: 'no more for its start than is held', max: 5, price: 7, total: 7, charged: 5, entries: 4, last: 'release' },
    { what: 'nothing when it never started', max: 300, price: 0, total: 0, charged: 0, entries: 3, last: 'release' },
    { what: 'no more than was held', max: 300, price: 0, total: 301, charged: 300, entries: 3, last: 'consumption' },
  ])('is charged $what', async ({ max, price, total, charged, entries, last }) => {
    const { holds, state, store } = await held(max)
    await holds.chargeStart({ user_id, job_id, job_name, price })
    expect(await holds.settle({ user_id, job_id, job_name, total })).toEqual({ charged })
    expect(await state()).toMatchObject({ balance: 1_000 - charged, held: 0 })
    expect([store.all.length, store.all.at(-1)?.type]).toEqual([entries, last])
  })

  test('is settled once, with any later requests', async () => {
    const { holds, store } = await held()
    await holds.settle({ user_id, job_id, job_name, total: 50 })
    expect(await holds.settle({ user_id, job_id, job_name, total: 90 })).toEqual({ charged: 50 })
    await holds.chargeStart({ user_id, job_id, job_name, price: 7 })
    await holds.void({ user_id, job_id })
    expect(store.all).toHaveLength(3)
  })
})

describe('a grant', () => {
  const granted = { user_id, reference: { reference_type: 'grant', reference_id: 'second' }, description: '' }

  test('is granted once per reference, with any second call', async () => {
    const { ledger, state } = await account(0)
    const first = await grant(ledger, { ...granted, type: 'bonus', amount: 500 })
    expect(await grant(ledger, { ...granted, type: 'bonus', amount: 900 })).toEqual(first)
    expect(await state()).toEqual({ seq: 1, balance: 500, held: 0, deficit: 0, total_purchased: 0 })
  })

  test('of a negative adjustment takes only available credits', async () => {
    const { ledger, holds } = await account(500)
    await holds.reserve(hold)
    await expect(grant(ledger, { ...granted, type: 'adjustment', amount: -201 })).rejects.toMatchObject({
      code: 'conflict',
    })
    const taken = await grant(ledger, { ...granted, type: 'adjustment', amount: -200 })
    expect(taken).toMatchObject({ balance_after: 300, held_after: 300 })
  })

  test.each([
    ['bonus' as const, 0],
    ['bonus' as const, -1],
    ['adjustment' as const, 0],
    ['bonus' as const, 0.5],
    ['bonus' as const, Number.NaN],
  ])('as %s of %d is refused', async (type, amount) => {
    const { ledger } = await account(500)
    await expect(grant(ledger, { ...granted, type, amount })).rejects.toMatchObject({ code: 'bad_request' })
  })
})

test('an entry that would break an account is never written', async () => {
  const { ledger, store } = await account(500)
  const reference = { reference_type: 'fault', reference_id: 'x' }
  const change = { type: 'consumption' as const, amount: -501, description: '' }
  await expect(ledger.append(user_id, reference, () => change)).rejects.toThrow('below zero')
  expect(store.all).toHaveLength(1)
})
