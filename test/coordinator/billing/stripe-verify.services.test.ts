import { ledgerEntries } from '@placefleet/coordinator/billing/ledger/documents'
import { beforeEach, expect, test } from 'vitest'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { pay, refund } from '../../stripe/happenings.ts'
import { SECRET_KEY } from '../../stripe/server.ts'
import { opsOn } from '../operator/commands/run-ops.ts'
import { stripeWorld } from './stripe-world.ts'

const database = await testDatabase()
const { db } = database

// Each test has a Stripe of its own, which knows nothing of the sessions of other tests.
beforeEach(async () => {
  for (const collection of await db.collections()) await collection.deleteMany({})
})

test('differences between Stripe and the ledger are reported in both directions', async () => {
  const { account, payer, opened, reconcile, sweepAll, deviations } = await stripeWorld(db)
  const { user_id, key, session_id: one, charge } = await payer('10')
  await reconcile(key, one)
  expect(await deviations()).toEqual([])

  const { session_id: two } = await opened(key, '20')
  pay(account, two)
  const { id } = refund(account, charge, 300)
  expect((await deviations()).sort()).toEqual([
    `checkout_session ${two}: is 20.000000 at Stripe, and 0.000000 in the ledger`,
    `refund ${id}: is 3.000000 at Stripe, and 0.000000 in the ledger`,
  ])
  await sweepAll()
  expect(await deviations()).toEqual([])

  account.refunds.delete(id)
  account.sessions.delete(two)
  expect((await deviations(user_id)).sort()).toEqual([
    `checkout_session ${two}: is 0.000000 at Stripe, and 20.000000 in the ledger`,
    `refund ${id}: is 0.000000 at Stripe, and 3.000000 in the ledger`,
  ])
})

test('an entry with a change that its type forbids is reported without a request to Stripe', async () => {
  const { payer, reconcile, deviations } = await stripeWorld(db)
  const { user_id, key, session_id } = await payer('10')
  await reconcile(key, session_id)
  await ledgerEntries(db).updateOne({ user_id, seq: 1 }, { $set: { type: 'bonus' } })
  expect(await deviations(user_id)).toEqual(['entry 1: changes the account in a way that no bonus may'])
})

test('all sessions are read page by page, without those of other users of the account', async () => {
  const { account, payer, opened, sweepAll, deviations } = await stripeWorld(db)
  const { user_id, key } = await testUser(db)
  account.mostOnPage = 4
  for (let session = 0; session < 9; session++) pay(account, (await opened(key, '1')).session_id)
  const stranger = await payer('9')
  expect(await deviations(user_id)).toHaveLength(9)
  await db.collection<{ _id: string }>('users').deleteOne({ _id: stranger.user_id })
  expect(await deviations()).toHaveLength(9)
  await sweepAll()
  expect(await deviations()).toEqual([])
})

test('`ledger verify --with-stripe` compares with Stripe, and needs its key', async () => {
  const { stripe, account, payer, reconcile } = await stripeWorld(db)
  const { key, session_id, charge } = await payer()
  await reconcile(key, session_id)
  const ops = opsOn(database, { STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_API_BASE: stripe.url })
  expect(await ops.json('ledger', 'verify', '--with-stripe')).toMatchObject({ payments: 1, deviations: [] })
  refund(account, charge)
  expect((await ops.run('ledger', 'verify')).code).toBe(0)
  const { code, out } = await ops.run('ledger', 'verify', '--with-stripe')
  expect([code, out]).toEqual([1, expect.stringContaining('is 25.000000 at Stripe, and 0.000000 in the ledger')])
  const keyless = await opsOn(database).run('ledger', 'verify', '--with-stripe')
  expect([keyless.code, keyless.err]).toEqual([1, expect.stringContaining('STRIPE_SECRET_KEY')])
})
