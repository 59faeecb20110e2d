import { usersOf } from '@placefleet/coordinator/accounts/documents'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { createPurchases } from '@placefleet/coordinator/billing/purchases/purchases'
import { createStripeCheckout } from '@placefleet/coordinator/billing/purchases/stripe/checkout'
import { eventsOf } from '@placefleet/coordinator/billing/purchases/stripe/documents'
import { stripeGateway } from '@placefleet/coordinator/billing/purchases/stripe/payments'
import { createEvents } from '@placefleet/coordinator/billing/purchases/stripe/receive-event'
import { createReconciler } from '@placefleet/coordinator/billing/purchases/stripe/reconcile'
import { createCheckouts, createEventStore } from '@placefleet/coordinator/billing/purchases/stripe/store'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import { SCAN } from '../../harness/servers/scan.ts'
import { chargeOf } from '../../stripe/account.ts'
import { closeDispute, dispute, pay, refund } from '../../stripe/happenings.ts'
import { SECRET_KEY, startStripe } from '../../stripe/server.ts'
import { type Bed, CREDITS } from './bed.ts'
import type { Operation } from './operation.ts'

/** A user who paid for 25 credits, at a stand-in for Stripe of their own. */
async function paid({ db, log, user }: Bed) {
  const user_id = await user()
  const stripe = await startStripe()
  const gateway = stripeGateway({ secretKey: SECRET_KEY, apiBase: stripe.url })
  const reconciler = (seen: Db) => {
    const purchases = createPurchases(createLedger(mongoLedgerStore(seen)))
    return createReconciler({ db: seen, gateway, purchases, checkouts: createCheckouts(seen), log })
  }
  const events = (seen: Db) =>
    createEvents({ store: createEventStore(seen), reconciler: reconciler(seen), livemode: false, log })
  const parts = {
    gateway,
    checkouts: createCheckouts(db),
    reconciler: reconciler(db),
    limit: { take: async () => undefined },
    publicUrl: 'https://fleet.example',
  }
  const { session_id } = await createStripeCheckout(parts).open(user_id, 25)
  pay(stripe.account, session_id)
  return {
    user_id,
    session_id,
    reconciler,
    events,
    account: stripe.account,
    charge: chargeOf(stripe.account, session_id),
  }
}

/** What must hold once all is recorded of a user who bought 25 credits and kept these. */
const expectBought = async (bed: Bed, user_id: string, credits: number) => {
  const state = await bed.healthy.ledger.state(user_id)
  expect(state).toMatchObject({ balance: CREDITS + credits * 1_000_000, total_purchased: 25_000_000, deficit: 0 })
  expect(await usersOf(bed.db).findOne({ _id: user_id })).toMatchObject({ paid: true })
  expect(await bed.db.collection('checkouts').findOne({ user_id }, SCAN)).toMatchObject({ state: 'credited' })
}

const reconciles = (
  when: string,
  happens: (world: Awaited<ReturnType<typeof paid>>) => void,
  credits: number,
): Operation => ({
  name: 'billing/purchases/stripe/reconcile.ts reconcile',
  when,
  async begin(bed) {
    const world = await paid(bed)
    happens(world)
    const { user_id, session_id, reconciler } = world
    return {
      users: [user_id],
      call: (seen) => reconciler(seen).reconcile(session_id),
      check: () => expectBought(bed, user_id, credits),
    }
  },
})

/** The reconciler of a checkout. Events, the sweep and the page after the payment all begin it. */
export const stripeOperations: readonly Operation[] = [
  reconciles('of a payment', () => undefined, 25),
  reconciles(
    'of a payment with a refund and a lost dispute',
    ({ account, charge }) => {
      refund(account, charge, 1_000)
      closeDispute(account, dispute(account, charge).id, 'lost')
    },
    0,
  ),
  {
    name: 'billing/purchases/stripe/receive-event.ts receive',
    when: 'of a refund, and again when it was not acknowledged',
    async begin(bed) {
      const { user_id, session_id, reconciler, events, account, charge } = await paid(bed)
      await reconciler(bed.db).reconcile(session_id)
      refund(account, charge, 1_000)
      const event = account.events.at(-1) ?? expect.fail('no event')
      return {
        users: [user_id],
        call: (seen) => events(seen).receive(event),
        async check() {
          await expectBought(bed, user_id, 15)
          expect(await eventsOf(bed.db).findOne({ _id: event.id })).toMatchObject({ state: 'handled' })
        },
      }
    },
  },
]
