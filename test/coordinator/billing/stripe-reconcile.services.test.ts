import { createPurchases } from '@placefleet/coordinator/billing/purchases/purchases'
import type { StripeGateway } from '@placefleet/coordinator/billing/purchases/stripe/gateway'
import type { Movement } from '@placefleet/coordinator/billing/purchases/stripe/objects'
import { createReconciler } from '@placefleet/coordinator/billing/purchases/stripe/reconcile'
import { createCheckouts } from '@placefleet/coordinator/billing/purchases/stripe/store'
import { createLogger } from '@placefleet/shared/log'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'
import { dispute, failRefund, refund } from '../../stripe/happenings.ts'
import { stripeWorld } from './stripe-world.ts'

const { db } = await testDatabase()

/** Returns a user who bought 25 credits, and the reconciler of a coordinator. */
async function bought() {
  const world = await stripeWorld(db)
  const buyer = await world.payer()
  await world.reconcile(buyer.key, buyer.session_id)
  const purchases = createPurchases(world.ledger)
  const log = createLogger('test', 'silent')
  const follow = (gateway = world.gateway) =>
    createReconciler({ db, gateway, purchases, checkouts: createCheckouts(db), log }).reconcilePayment(
      buyer.charge.payment_intent,
    )
  return { ...world, ...buyer, follow }
}

test('a refund that fails while it is recorded is undone by the coordinator that gets the event', async () => {
  const { account, gateway, user_id, key, charge, history, follow, deviations } = await bought()
  const { id } = refund(account, charge, 1_000, 'pending')
  let told = false
  const slow: StripeGateway = {
    ...gateway,
    async *movements(payment_intent) {
      const answer: Movement[] = []
      for await (const movement of gateway.movements(payment_intent)) answer.push(movement)
      if (!told) {
        told = true
        failRefund(account, id)
        await follow()
      }
      yield* answer // by now it is old
    },
  }
  await follow(slow)
  expect(await history(key)).toEqual(['purchase 25.000000', 'refund -10.000000', 'adjustment 10.000000'])
  expect(await deviations(user_id)).toEqual([])
})

test('what a dispute grows by after its deficit was recorded is owed too, once, returned when it is won, and taken when it is withdrawn again', async () => {
  const { account, ledger, user_id, session_id, charge, follow, ...world } = await bought()
  const spend = { reference_type: 'test', reference_id: session_id }
  await ledger.append(user_id, spend, ({ balance }) => ({
    type: 'consumption',
    amount: 0 - balance,
    description: 'spent',
  }))
  const disputed = dispute(account, charge)
  const deficitAfter = async (change: Partial<typeof disputed>) => {
    Object.assign(disputed, change)
    for (let again = 0; again < 2; again++) await follow()
    return (await ledger.state(user_id)).deficit
  }
  expect(await deficitAfter({})).toBe(25_000_000)
  expect(await deficitAfter({ amount: 2_600 })).toBe(26_000_000)
  expect(await deficitAfter({ amount: 2_850 })).toBe(28_500_000)
  const deviations = await world.deviations(user_id)
  expect(deviations.filter((deviation) => deviation.startsWith('dispute'))).toEqual([])
  expect(await deficitAfter({ status: 'won' })).toBe(0)
  expect(await ledger.state(user_id)).toMatchObject({ balance: 0 })
  expect(await deficitAfter({ status: 'under_review' })).toBe(28_500_000) // the bank withdrew it again
  expect(await world.deviations(user_id)).toEqual(deviations)
})
