import { randomUUID } from 'node:crypto'
import { AppError } from '../../http/errors.ts'
import type { Checkout } from '../checkout.ts'
import type { Checkouts } from './checkouts.ts'
import type { StripeGateway } from './gateway.ts'
import type { Settlement } from './settlement.ts'

export type StripeCheckoutParts = {
  gateway: StripeGateway
  checkouts: Checkouts
  settlement: Settlement
  /** Where the payment page sends people back to. */
  publicUrl: string
}

/** Anything else is not asked for: it would be part of a path at Stripe. */
const SESSION_ID = /^cs_\w{1,200}$/

/** Checkouts on Stripe's payment page. */
export function createStripeCheckout({ gateway, checkouts, settlement, publicUrl }: StripeCheckoutParts): Checkout {
  return {
    async open(user_id, credits) {
      const { id, url, created } = await gateway.openSession({
        user_id,
        credits,
        successUrl: `${publicUrl}/?checkout=paid&session_id={CHECKOUT_SESSION_ID}`, // Stripe puts the id in
        cancelUrl: `${publicUrl}/?checkout=cancelled`,
        idempotencyKey: randomUUID(), // the client repeats a call that was cut off; that must not open another session
      })
      await checkouts.add({ id, user_id, created })
      return { session_id: id, url }
    },
    async reconcile(user_id, session_id) {
      const known = SESSION_ID.test(session_id) ? await checkouts.find(session_id) : undefined
      const foreign = known !== undefined && known.user_id !== user_id
      if (foreign || !SESSION_ID.test(session_id)) throw noSuchSession()
      if (known?.state === 'settled') return
      const outcome = await settlement.credit(session_id, user_id)
      if (outcome === 'foreign') throw noSuchSession()
      if (outcome !== 'paid') throw new AppError('conflict', NOT_PAID[outcome])
    },
  }
}

const NOT_PAID = {
  open: 'The checkout session is not paid yet.',
  over: 'The checkout session has ended and was not paid. Open another one.',
  wrong: 'The checkout session was not paid as it should be. Please ask for support.',
}

const noSuchSession = () => new AppError('not_found', 'There is no such checkout session.')
