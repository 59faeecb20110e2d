import { findUser } from '@placefleet/coordinator/accounts/store'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { createPurchases } from '@placefleet/coordinator/billing/purchases/purchases'
import type { StripeGateway } from '@placefleet/coordinator/billing/purchases/stripe/gateway'
import type { Movement } from '@placefleet/coordinator/billing/purchases/stripe/objects'
import { stripeGateway } from '@placefleet/coordinator/billing/purchases/stripe/payments'
import { createEvents } from '@placefleet/coordinator/billing/purchases/stripe/receive-event'
import { createReconciler } from '@placefleet/coordinator/billing/purchases/stripe/reconcile'
import { createCheckouts, createEventStore } from '@placefleet/coordinator/billing/purchases/stripe/store'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { expect, test } from 'vitest'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { volume } from '../../harness/volume.ts'
import { chargeOf } from '../../stripe/account.ts'
import { dispute, failRefund, pay, refund } from '../../stripe/happenings.ts'
import { atEveryCrashPoint, type CrashPoints, mayCrash } from './crashing-db.ts'
import { deviationsOf, SECRET_KEY, stripeWorld } from './stripe-world.ts'

const { db } = await testDatabase()

const alternately = (calls: number) => calls % 2 === 0

/** Whether the last call before a death is written: of each second one, or of none and then of all. */
const WRITTEN: CrashPoints['written'][] = volume(1, 2) === 1 ? [alternately] : [false, true]

const reconcilerOver = (over: Db, gateway: StripeGateway) =>
  createReconciler({
    db: over,
    gateway,
    purchases: createPurchases(createLedger(mongoLedgerStore(over))),
    checkouts: createCheckouts(over),
    log: createLogger('test', 'silent'),
  })

test('a refund that fails while it is recorded is undone by the coordinator that gets the event', async () => {
  const { stripe, opened, reconcile, history } = await stripeWorld(db)
  const { user_id, key } = await testUser(db)
  const { session_id } = await opened(key)
  pay(stripe.account, session_id)
  await reconcile(key, session_id)
  const charge = chargeOf(stripe.account, session_id)
  const { id } = refund(stripe.account, charge, 1_000, 'pending')

  const gateway = stripeGateway({ secretKey: SECRET_KEY, apiBase: stripe.url })
  const other = reconcilerOver(db, gateway)
  let told = false
  const slow: StripeGateway = {
    ...gateway,
    async *movements(payment_intent) {
      const answer: Movement[] = []
      for await (const movement of gateway.movements(payment_intent)) answer.push(movement)
      if (!told) {
        told = true
        failRefund(stripe.account, id)
        await other.reconcilePayment(payment_intent)
      }
      yield* answer // by now it is old
    },
  }
  await reconcilerOver(db, slow).reconcilePayment(charge.payment_intent)
  expect(await history(key)).toEqual(['purchase 25.000000', 'refund -10.000000', 'adjustment 10.000000'])
  expect(await deviationsOf(db, stripe.url, user_id)).toEqual([])
})

test('a coordinator that dies at any step of crediting leaves a session that the next one credits, once', async () => {
  const { stripe, opened, sweep, makeDue, history } = await stripeWorld(db)
  const gateway = stripeGateway({ secretKey: SECRET_KEY, apiBase: stripe.url })
  for (const written of WRITTEN) {
    await atEveryCrashPoint({ db, least: 6, written }, async (dying) => {
      const { user_id, key } = await testUser(db)
      const { session_id } = await opened(key, '5')
      pay(stripe.account, session_id)
      stripe.account.events.length = 0
      await mayCrash(reconcilerOver(dying, gateway).credit(session_id))
      await makeDue()
      await sweep()
      expect(await history(key)).toEqual(['purchase 5.000000'])
      expect((await findUser(db, user_id))?.paid).toBe(true)
      expect(await db.collection('api_keys').countDocuments({ user_id, paid: false })).toBe(0)
    })
  }
})

test('a stored event is handled once, after a crash of its coordinator at any step', async () => {
  const { stripe, opened, reconcile, sweep, makeDue, history } = await stripeWorld(db)
  stripe.forbid('/v1/events')
  const gateway = stripeGateway({ secretKey: SECRET_KEY, apiBase: stripe.url })
  const eventsOver = (over: Db) =>
    createEvents({
      store: createEventStore(over),
      reconciler: reconcilerOver(over, gateway),
      livemode: false,
      log: createLogger('test', 'silent'),
    })
  for (const written of WRITTEN) {
    let unstored = 0
    await atEveryCrashPoint({ db, least: 9, written }, async (dying) => {
      const { key } = await testUser(db)
      const { session_id } = await opened(key, '5')
      pay(stripe.account, session_id)
      await reconcile(key, session_id)
      refund(stripe.account, chargeOf(stripe.account, session_id), 200)
      const event = stripe.account.events.at(-1) ?? expect.fail()
      await mayCrash(eventsOver(dying).receive(event))
      const isStored = (await db.collection<{ _id: string }>('stripe_events').countDocuments({ _id: event.id })) === 1
      if (!isStored) {
        unstored += 1
        await eventsOver(db).receive(event) // nobody told Stripe that it came, so it comes again
      }
      await makeDue()
      await sweep()
      expect(await history(key)).toEqual(['purchase 5.000000', 'refund -2.000000'])
    })
    expect(unstored).toBe(written === true ? 0 : 1) // the first call stores it
  }
})

test('what a dispute grows by after its deficit was recorded is owed too, once, returned when it is won, and taken when it is withdrawn again', async () => {
  const { stripe, opened, reconcile } = await stripeWorld(db)
  const { user_id, key } = await testUser(db)
  const { session_id } = await opened(key)
  pay(stripe.account, session_id)
  await reconcile(key, session_id)
  const charge = chargeOf(stripe.account, session_id)
  const spend = { reference_type: 'test', reference_id: session_id }
  const ledger = createLedger(mongoLedgerStore(db))
  await ledger.append(user_id, spend, ({ balance }) => ({
    type: 'consumption',
    amount: 0 - balance,
    description: 'spent',
  }))
  const disputed = dispute(stripe.account, charge)
  const gateway = stripeGateway({ secretKey: SECRET_KEY, apiBase: stripe.url })
  await reconcilerOver(db, gateway).reconcilePayment(charge.payment_intent)
  expect((await ledger.state(user_id)).deficit).toBe(25_000_000)

  for (const grownBy of [100, 250]) {
    disputed.amount += grownBy
    for (let again = 0; again < 2; again++) {
      await reconcilerOver(db, gateway).reconcilePayment(charge.payment_intent)
    }
  }
  expect((await ledger.state(user_id)).deficit).toBe(28_500_000)
  const deviations = await deviationsOf(db, stripe.url, user_id)
  expect(deviations.filter((deviation) => deviation.startsWith('dispute'))).toEqual([])

  disputed.status = 'won'
  await reconcilerOver(db, gateway).reconcilePayment(charge.payment_intent)
  expect(await ledger.state(user_id)).toMatchObject({ balance: 0, deficit: 0 })

  disputed.status = 'under_review' // the bank withdrew it again
  for (let again = 0; again < 2; again++) await reconcilerOver(db, gateway).reconcilePayment(charge.payment_intent)
  expect(await ledger.state(user_id)).toMatchObject({ balance: 0, deficit: 28_500_000 })
  expect(await deviationsOf(db, stripe.url, user_id)).toEqual(deviations)
})
