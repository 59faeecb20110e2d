import type { Subject } from './documents.ts'
import { OfPayment } from './objects.ts'

/** A payer's bank disputes a payment: the money leaves at once, and comes back only if the dispute is won. */
export const DISPUTE_EVENTS = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
]

/** The payment that such an event is about; undefined for a charge that no payment page made. */
export function subjectOfDispute(object: unknown): Subject | undefined {
  const payment_intent = OfPayment.safeParse(object).data?.payment_intent
  return typeof payment_intent === 'string' ? { payment_intent } : undefined
}
