import type { Subject } from './documents.ts'
import { WithId } from './objects.ts'

/** A session was completed (paid, or to be paid in days), then paid or not, or it ran out. */
export const CHECKOUT_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
]

/** The session that such an event is about. */
export function subjectOfCheckout(object: unknown): Subject | undefined {
  const session = WithId.safeParse(object).data
  return session && { session_id: session.id }
}
