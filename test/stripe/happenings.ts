import {
  type Account,
  type Charge,
  type Dispute,
  kept,
  newId,
  type Payment,
  type Refund,
  type Session,
  tell,
  unixNow,
} from './account.ts'

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
    created: unixNow(),
    livemode: false,
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
  const payment: Payment = { id: newId('pi'), status: 'processing', latest_charge: null }
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

function charge(account: Account, session: Session, payment: Payment): void {
  const { amount_total: amount, currency } = session
  const id = newId('ch')
  account.charges.set(id, { id, amount, amount_refunded: 0, currency, disputed: false, payment_intent: payment.id })
  Object.assign(payment, { status: 'succeeded', latest_charge: id })
  session.payment_status = 'paid'
  tell(account, 'payment_intent.succeeded', payment)
}

/** Ends a session that nobody paid. */
export function expire(account: Account, session_id: string): void {
  const session = openOne(account, session_id)
  Object.assign(session, { status: 'expired', url: null })
  tell(account, 'checkout.session.expired', session)
}

const movementOf = (prefix: string, of: Charge, amount: number) => ({
  id: newId(prefix),
  created: unixNow(),
  amount,
  currency: of.currency,
  charge: of.id,
  payment_intent: of.payment_intent,
})

/** Refunds cents of a charge, or all that is left of it. */
export function refund(account: Account, of: Charge, cents?: number, status: Refund['status'] = 'succeeded'): Refund {
  const left = of.amount - of.amount_refunded
  const amount = cents ?? left
  if (of.disputed || amount <= 0 || amount > left) throw new Error('the charge cannot be refunded so much')
  const made = { ...movementOf('re', of, amount), status }
  account.refunds.set(made.id, made)
  of.amount_refunded += amount
  tell(account, 'refund.created', made)
  tell(account, 'charge.refunded', of)
  return made
}

/** A refund could not be paid out: its money is back. */
export function failRefund(account: Account, refund_id: string): void {
  const failed = kept(account.refunds, refund_id)
  if (failed.status !== 'failed') kept(account.charges, failed.charge).amount_refunded -= failed.amount
  failed.status = 'failed'
  tell(account, 'refund.failed', failed)
}

/** Disputes the rest of a charge, like a payer's bank. */
export function dispute(account: Account, of: Charge, status: Dispute['status'] = 'needs_response'): Dispute {
  const made = { ...movementOf('du', of, of.amount - of.amount_refunded), status }
  account.disputes.set(made.id, made)
  of.disputed = true
  tell(account, 'charge.dispute.created', made)
  if (status === 'needs_response') tell(account, 'charge.dispute.funds_withdrawn', made)
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
