import { DEFAULT_PRICES } from '@placefleet/coordinator/billing/prices/cost'
import { createPriceRules } from '@placefleet/coordinator/billing/prices/price-rules'
import { expect, test } from 'vitest'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { chargeOf } from '../../stripe/account.ts'
import { pay, refund } from '../../stripe/happenings.ts'
import { opsOn } from '../operator/commands/run-ops.ts'
import { SECRET_KEY, stripeWorld } from './stripe-world.ts'

const database = await testDatabase()
const { db } = database

test('`ledger verify --with-stripe` compares with Stripe, and needs its key', async () => {
  const { stripe, opened, reconcile } = await stripeWorld(db)
  const { key } = await testUser(db)
  const { session_id } = await opened(key)
  pay(stripe.account, session_id)
  await reconcile(key, session_id)
  const ops = opsOn(database, { STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_API_BASE: stripe.url })
  expect(await ops.json('ledger', 'verify', '--with-stripe')).toMatchObject({ payments: 1, deviations: [] })
  refund(stripe.account, chargeOf(stripe.account, session_id))
  expect((await ops.run('ledger', 'verify')).code).toBe(0)
  const { code, out } = await ops.run('ledger', 'verify', '--with-stripe')
  expect([code, out]).toEqual([1, expect.stringContaining('is 25.000000 at Stripe, and 0.000000 in the ledger')])
  const keyless = await opsOn(database).run('ledger', 'verify', '--with-stripe')
  expect([keyless.code, keyless.err]).toEqual([1, expect.stringContaining('STRIPE_SECRET_KEY')])
})

test('`prices preview` shows the prices at a time, and until when they apply', async () => {
  const from = new Date(Date.now() + 3_600_000)
  await createPriceRules(db).add({ ...DEFAULT_PRICES, review: 0 }, from)
  const ops = opsOn(database)
  const before = new Date(from.getTime() - 1).toISOString()
  expect(await ops.json('prices', 'preview', '--at', before)).toMatchObject({
    until: from.toISOString(),
    prices: { review: '0.000500' },
  })
  const then = await ops.run('prices', 'preview', '--at', from.toISOString())
  expect([then.code, then.out]).toEqual([0, expect.stringMatching(/until +further notice[\s\S]*review +0\.000000/)])
  expect((await ops.run('prices', 'preview', '--at', 'tomorrow')).code).toBe(2)
})
