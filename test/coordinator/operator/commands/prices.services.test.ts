import { DEFAULT_PRICES } from '@placefleet/coordinator/billing/prices/cost'
import { createPriceRules } from '@placefleet/coordinator/billing/prices/price-rules'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../harness/servers/database.ts'
import { SCAN } from '../../../harness/servers/scan.ts'
import { opsOn } from './run-ops.ts'

const database = await testDatabase()
const ops = opsOn(database)
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

const defaults = {
  job_start: '0.007000',
  place_scraped: '0.003000',
  contact_details: '0.002000',
  review: '0.000500',
  image: '0.000500',
  filters_applied: '0.001000',
}

test('the default prices apply first; new ones change only the given prices, from their time on', async () => {
  expect(await ops.json('prices', 'list')).toEqual([{ state: 'in force', prices: defaults }])
  const [soon, later] = [inMinutes(60), inMinutes(120)]
  await ops.json('prices', 'set', '--from', soon, '--place-scraped', '0.004', '--review', '0')
  await ops.json('prices', 'set', '--from', later, '--image', '0.000001')
  const changed = { ...defaults, place_scraped: '0.004000', review: '0.000000' }
  expect(await ops.json('prices', 'list')).toEqual([
    { state: 'in force', prices: defaults },
    { from: soon, state: 'coming', prices: changed },
    { from: later, state: 'coming', prices: { ...changed, image: '0.000001' } },
  ])
  const { prices } = await createPriceRules(database.db).pricesAt(new Date(soon))
  expect(prices).toEqual({ ...DEFAULT_PRICES, place_scraped: 4_000, review: 0 })
  expect(await ops.json('prices', 'preview', '--at', soon)).toMatchObject({
    until: later,
    prices: { review: '0.000000' },
  })
  const last = await ops.run('prices', 'preview', '--at', later)
  expect(last).toMatchObject({ code: 0, out: expect.stringMatching(/until +further notice[\s\S]*image +0\.000001/) })
  expect((await ops.run('prices', 'preview', '--at', 'tomorrow')).code).toBe(2)
  const past = { $set: { from: new Date(Date.now() - 1_000) } }
  await database.db.collection('price_rules').updateOne({ from: new Date(soon) }, past, SCAN)
  const states = ((await ops.json('prices', 'list')) as { state: string }[]).map(({ state }) => state)
  expect(states).toEqual(['past', 'in force', 'coming'])
  expect((await ops.run('prices', 'set', '--from', later, '--image', '1')).code).toBe(1)
})

test.each([
  ['too soon for estimates already given', ['--from', inMinutes(14), '--image', '1'], 1],
  ['a price over 1000 credits', ['--from', inMinutes(301), '--image', '1000.000001'], 2],
  ['no price', ['--from', inMinutes(302)], 2],
  ['a time without a zone', ['--from', '2099-01-01T00:00:00', '--image', '1'], 2],
])('%s is refused', async (_, args, code) => {
  expect((await ops.run('prices', 'set', ...args)).code).toBe(code)
})
