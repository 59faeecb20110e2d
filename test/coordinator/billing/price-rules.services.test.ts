import { DEFAULT_PRICES } from '@placefleet/coordinator/billing/prices/cost'
import { createPriceRules } from '@placefleet/coordinator/billing/prices/price-rules'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const NOW = new Date('2026-01-01T12:00:00Z')
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)
const rules = createPriceRules(db, () => NOW)
const dearer = { ...DEFAULT_PRICES, place_scraped: 4_000 }
const dearest = { ...DEFAULT_PRICES, place_scraped: 5_000 }

beforeEach(async () => {
  await db.collection('price_rules').deleteMany({})
})

test('without a rule the default prices are in force, without an end', async () => {
  expect(await rules.pricesAt(new Date(0))).toEqual({ prices: DEFAULT_PRICES, until: undefined })
})

test('a rule is in force from its moment on, until the next one', async () => {
  await rules.add(dearest, minutes(60))
  await rules.add(dearer, minutes(15))
  expect(await rules.pricesAt(new Date(minutes(15).getTime() - 1))).toEqual({
    prices: DEFAULT_PRICES,
    until: minutes(15),
  })
  expect(await rules.pricesAt(minutes(15))).toEqual({ prices: dearer, until: minutes(60) })
  expect(await rules.pricesAt(minutes(60))).toEqual({ prices: dearest, until: undefined })
})

test('a new job has the newest prices by the clock of the database, however wrong that of a coordinator is', async () => {
  const hourAgo = new Date(Date.now() - 3_600_000)
  const ahead = createPriceRules(db, () => new Date(0))
  await ahead.add(dearest, new Date(hourAgo.getTime() - 3_600_000))
  await ahead.add(dearer, hourAgo)
  await ahead.add(dearest, new Date(Date.now() + 3_600_000))
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 })
  expect(await ahead.current()).toEqual(dearer)
})

test.each([
  { when: 'one millisecond before 15 minutes have passed', from: new Date(minutes(15).getTime() - 1) },
  { when: 'a minute ago', from: minutes(-1) },
  { when: 'no time', from: new Date(Number.NaN) },
])('prices from $when on are refused, because they would break estimates that were given', async ({ from }) => {
  await expect(rules.add(dearer, from)).rejects.toMatchObject({ code: 'bad_request' })
})

test.each([0.5, -1, Number.NaN, 2_000_000_000])('a price of %d micro-credits is refused', async (review) => {
  const refused = rules.add({ ...DEFAULT_PRICES, review }, minutes(20))
  await expect(refused).rejects.toMatchObject({ code: 'bad_request', message: expect.stringContaining('review') })
})

test('of two rules for one moment the second is refused', async () => {
  await rules.add(dearer, minutes(20))
  await expect(rules.add(dearest, minutes(20))).rejects.toMatchObject({ code: 'conflict' })
})
