import type { Subject } from './documents.ts'
import { OfPayment } from './objects.ts'

/** Money was given back, in whole or in part, or that failed. The first is about the charge, the others about the refund. */
export const REFUND_EVENTS = [
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
]

/** The payment that such an event is about; undefined for a charge that no payment page made. */
export function subjectOfRefund(object: unknown): Subject | undefined {
  const payment_intent = OfPayment.safeParse(object).data?.payment_intent
  return typeof payment_intent === 'string' ? { payment_intent } : undefined
}
