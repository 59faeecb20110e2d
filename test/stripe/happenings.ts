import { type Account, kept, tell } from './account.ts'
import {
  type Charge,
  type Dispute,
  type DisputeStatus,
  hasLeft,
  isWithdrawn,
  newId,
  type PaymentIntent,
  type Refund,
  type RefundStatus,
  type Session,
  unixNow,
} from './objects.ts'

/** What a new session is made of. */
export type NewSession = Pick<
  Session,
  'mode' | 'client_reference_id' | 'metadata' | 'success_url' | 'cancel_url' | 'line_items' | 'currency'
>

/** Opens a session, to be paid at the address that `payPage` gives its id. */
export function openSession(account: Account, given: NewSession, payPage: (id: string) => string): Session {
  const id = newId('cs_test')
  const session: Session = {
    ...given,
    id,
    object: 'checkout.session',
    created: unixNow(),
    livemode: account.livemode,
    status: 'open',
    payment_status: 'unpaid',
    amount_total: given.line_items.reduce((sum, item) => sum + item.quantity * item.unit_amount, 0),
    payment_intent: null,
    url: payPage(id),
  }
  account.sessions.set(id, session)
  return session
}

/** Pays a session. `later`: by a method that takes days, see `endPayment`. */
export function pay(account: Account, session_id: string, how: 'now' | 'later' = 'now'): void {
  const session = openOne(account, session_id)
  const payment: PaymentIntent = {
    id: newId('pi'),
    object: 'payment_intent',
    created: unixNow(),
    livemode: account.livemode,
    amount: session.amount_total,
    currency: session.currency,
    status: 'processing',
    latest_charge: null,
  }
  account.payments.set(payment.id, payment)
  Object.assign(session, { status: 'complete', payment_intent: payment.id, url: null })
  if (how === 'now') charge(account, session, payment)
  tell(account, 'checkout.session.completed', session)
}

/** Ends a payment that was begun `later`. */
export function endPayment(account: Account, session_id: string, succeeds: boolean): void {
  const session = kept(account.sessions, session_id)
  const payment = kept(account.payments, session.payment_intent)
  if (payment.status !== 'processing') throw new Error(`the payment is ${payment.status}`)
  if (succeeds) charge(account, session, payment)
  else payment.status = 'requires_payment_method'
  tell(account, `checkout.session.async_payment_${succeeds ? 'succeeded' : 'failed'}`, session)
}

function charge(account: Account, session: Session, payment: PaymentIntent): void {
  const made: Charge = {
    id: newId('ch'),
    object: 'charge',
    created: unixNow(),
    livemode: account.livemode,
    amount: payment.amount,
    amount_refunded: 0,
    currency: payment.currency,
    refunded: false,
    disputed: false,
    paid: true,
    payment_intent: payment.id,
  }
  account.charges.set(made.id, made)
  Object.assign(payment, { status: 'succeeded', latest_charge: made.id })
  session.payment_status = 'paid'
  tell(account, 'payment_intent.succeeded', payment)
}

/** Ends a session that nobody paid. */
export function expire(account: Account, session_id: string): void {
  const session = openOne(account, session_id)
  Object.assign(session, { status: 'expired', url: null })
  tell(account, 'checkout.session.expired', session)
}

/** Refunds cents of a charge, or all that is left of it. */
export function refund(account: Account, of: Charge, cents?: number, status: RefundStatus = 'succeeded'): Refund {
  const left = of.amount - of.amount_refunded
  const amount = cents ?? left
  if (of.disputed || amount <= 0 || amount > left) throw new Error('the charge cannot be refunded so much')
  const made: Refund = {
    id: newId('re'),
    object: 'refund',
    created: unixNow(),
    amount,
    currency: of.currency,
    status,
    charge: of.id,
    payment_intent: of.payment_intent,
  }
  account.refunds.set(made.id, made)
  recount(account, of)
  tell(account, 'refund.created', made)
  tell(account, 'charge.refunded', of)
  return made
}

/** A refund could not be paid out: its money is back. */
export function failRefund(account: Account, refund_id: string): void {
  const failed = kept(account.refunds, refund_id)
  failed.status = 'failed'
  recount(account, kept(account.charges, failed.charge))
  tell(account, 'refund.failed', failed)
}

function recount(account: Account, of: Charge): void {
  const left = [...account.refunds.values()].filter((one) => one.charge === of.id && hasLeft(one))
  of.amount_refunded = left.reduce((sum, one) => sum + one.amount, 0)
  of.refunded = of.amount_refunded === of.amount
}

/** Disputes the rest of a charge, like a payer's bank. */
export function dispute(account: Account, of: Charge, status: DisputeStatus = 'needs_response'): Dispute {
  const made: Dispute = {
    id: newId('du'),
    object: 'dispute',
    created: unixNow(),
    livemode: account.livemode,
    amount: of.amount - of.amount_refunded,
    currency: of.currency,
    status,
    charge: of.id,
    payment_intent: of.payment_intent,
  }
  account.disputes.set(made.id, made)
  of.disputed = true
  tell(account, 'charge.dispute.created', made)
  if (isWithdrawn(made)) tell(account, 'charge.dispute.funds_withdrawn', made)
  return made
}

/** Ends a dispute. */
export function closeDispute(account: Account, dispute_id: string, status: 'won' | 'lost' | 'warning_closed'): void {
  const closed = kept(account.disputes, dispute_id)
  closed.status = status
  tell(account, 'charge.dispute.closed', closed)
  if (status === 'won') tell(account, 'charge.dispute.funds_reinstated', closed)
}

function openOne({ sessions }: Account, session_id: string): Session {
  const session = kept(sessions, session_id)
  if (session.status !== 'open') throw new Error(`the session is ${session.status}`)
  return session
}
