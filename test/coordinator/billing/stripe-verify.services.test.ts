import { ledgerEntries } from '@placefleet/coordinator/billing/ledger/documents'
import { beforeEach, expect, test } from 'vitest'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { chargeOf } from '../../stripe/account.ts'
import { pay, refund } from '../../stripe/happenings.ts'
import { deviationsOf, stripeWorld } from './stripe-world.ts'

const { db } = await testDatabase()

// Each test has a Stripe of its own, which knows nothing of the sessions of other tests.
beforeEach(async () => {
  for (const collection of await db.collections()) await collection.deleteMany({})
})

test('differences between Stripe and the ledger are reported in both directions', async () => {
  const { stripe, opened, reconcile, makeDue, sweep } = await stripeWorld(db)
  const { user_id, key } = await testUser(db)
  const [one, two] = [(await opened(key, '10')).session_id, (await opened(key, '20')).session_id]
  pay(stripe.account, one)
  await reconcile(key, one)
  expect(await deviationsOf(db, stripe.url)).toEqual([])

  pay(stripe.account, two)
  const { id } = refund(stripe.account, chargeOf(stripe.account, one), 300)
  expect((await deviationsOf(db, stripe.url)).sort()).toEqual([
    `checkout_session ${two}: is 20.000000 at Stripe, and 0.000000 in the ledger`,
    `refund ${id}: is 3.000000 at Stripe, and 0.000000 in the ledger`,
  ])
  await makeDue()
  await sweep()
  expect(await deviationsOf(db, stripe.url)).toEqual([])

  stripe.account.refunds.delete(id)
  stripe.account.sessions.delete(two)
  expect((await deviationsOf(db, stripe.url, user_id)).sort()).toEqual([
    `checkout_session ${two}: is 0.000000 at Stripe, and 20.000000 in the ledger`,
    `refund ${id}: is 0.000000 at Stripe, and 3.000000 in the ledger`,
  ])
})

test('an entry with a change that its type forbids is reported without a request to Stripe', async () => {
  const { stripe, opened, reconcile } = await stripeWorld(db)
  const { user_id, key } = await testUser(db)
  const { session_id } = await opened(key, '10')
  pay(stripe.account, session_id)
  await reconcile(key, session_id)
  await ledgerEntries(db).updateOne({ user_id, seq: 1 }, { $set: { type: 'bonus' } })
  expect(await deviationsOf(db, stripe.url, user_id)).toEqual([
    'entry 1: changes the account in a way that no bonus may',
  ])
})

test('all sessions are read page by page, without those of other users of the account', async () => {
  const { stripe, opened, sweep, makeDue } = await stripeWorld(db)
  const { user_id, key } = await testUser(db)
  const stranger = await testUser(db)
  stripe.account.mostOnPage = 4
  for (let session = 0; session < 9; session++) pay(stripe.account, (await opened(key, '1')).session_id)
  pay(stripe.account, (await opened(stranger.key, '9')).session_id)
  expect(await deviationsOf(db, stripe.url, user_id)).toHaveLength(9)
  await db.collection<{ _id: string }>('users').deleteOne({ _id: stranger.user_id })
  expect(await deviationsOf(db, stripe.url)).toHaveLength(9)
  await makeDue()
  await sweep()
  expect(await deviationsOf(db, stripe.url)).toEqual([])
})
