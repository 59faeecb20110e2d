import { randomUUID } from 'node:crypto'
import type { UserLimit } from '../../../accounts/limits.ts'
import { AppError, orNotFound } from '../../../http/errors.ts'
import type { RatePolicy } from '../../../http/rate-limit.ts'
import type { Checkout } from '../payments.ts'
import type { StripeGateway } from './gateway.ts'
import type { Reconciler } from './reconcile.ts'
import type { Checkouts } from './store.ts'

type StripeCheckoutDeps = {
  gateway: StripeGateway
  checkouts: Checkouts
  reconciler: Reconciler
  /** The limit `CHECKOUTS` of each user. */
  limit: UserLimit
  /** The URL the payment page returns to. */
  publicUrl: string
}

/** Checkouts that a user opens: ten at once, then one a minute. Each is asked for at Stripe until it is over. */
export const CHECKOUTS: RatePolicy = { rate: 1 / 60, burst: 10 }

/** Any other text is never sent to Stripe, because it would become part of a path. */
const SESSION_ID = /^cs_\w{1,200}$/

/** Creates checkouts on Stripe's payment page. */
export function createStripeCheckout({
  gateway,
  checkouts,
  reconciler,
  limit,
  publicUrl,
}: StripeCheckoutDeps): Checkout {
  return {
    async open(user_id, credits) {
      await limit.take(user_id)
      const { id, url, created } = await gateway.openSession({
        user_id,
        credits,
        successUrl: `${publicUrl}/console/credits?checkout=paid&session_id={CHECKOUT_SESSION_ID}`, // Stripe puts the id in
        cancelUrl: `${publicUrl}/console/credits?checkout=cancelled`,
        idempotencyKey: randomUUID(), // the Stripe client retries a broken call, which must not open a second session
      })
      await checkouts.add({ id, user_id, created })
      return { session_id: id, url }
    },
    async reconcile(user_id, session_id) {
      const known = SESSION_ID.test(session_id) ? await checkouts.find(session_id) : undefined
      const foreign = known !== undefined && known.user_id !== user_id
      orNotFound(!foreign && SESSION_ID.test(session_id), 'checkout session')
      if (known?.state === 'credited') return
      const credited = await reconciler.credit(session_id, user_id)
      const outcome = orNotFound(credited !== 'foreign' && credited, 'checkout session')
      if (outcome !== 'paid') throw new AppError('conflict', NOT_PAID[outcome])
    },
  }
}

const NOT_PAID = {
  open: 'The checkout session is not paid yet.',
  over: 'The checkout session ended without a payment. Open another one.',
  wrong: 'The payment of the checkout session does not match. Contact support.',
}
