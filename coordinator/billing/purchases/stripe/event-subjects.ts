import type { Subject } from './documents.ts'
import { OfPayment, WithId } from './objects.ts'

/** A session was completed, its payment succeeded or failed, or it expired. */
const CHECKOUT_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
]

/** A refund changed. The first event is about the charge, the others are about the refund. */
const REFUND_EVENTS = ['charge.refunded', 'charge.refund.updated', 'refund.created', 'refund.updated', 'refund.failed']

/** A dispute changed. The money leaves when it opens, and returns only if the dispute is won. */
const DISPUTE_EVENTS = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
]

/** Events about money that went back. The sweep reads them from Stripe, because nothing else finds a lost one. */
export const TAKE_BACK_EVENTS = [...REFUND_EVENTS, ...DISPUTE_EVENTS]

const SUBJECTS = new Map<string, (object: unknown) => Subject | undefined>([
  ...CHECKOUT_EVENTS.map((type) => [type, sessionOf] as const),
  ...TAKE_BACK_EVENTS.map((type) => [type, paymentOf] as const),
])

/** Returns what an event is about; undefined when we do not handle its type. */
export const subjectOf = (type: string, object: unknown): Subject | undefined => SUBJECTS.get(type)?.(object)

function sessionOf(object: unknown): Subject | undefined {
  const session = WithId.safeParse(object).data
  return session && { session_id: session.id }
}

/** Undefined for a charge that no payment page made. */
function paymentOf(object: unknown): Subject | undefined {
  const payment_intent = OfPayment.safeParse(object).data?.payment_intent
  return typeof payment_intent === 'string' ? { payment_intent } : undefined
}
