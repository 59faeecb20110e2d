import {
  type Charge,
  type Dispute,
  type Event,
  hasLeft,
  isWithdrawn,
  newId,
  type PaymentIntent,
  type Refund,
  type Session,
  type StripeObject,
  unixNow,
} from './objects.ts'

/** An account at Stripe: what is in it, and what happened. `happenings.ts` changes it. */
export type Account = {
  livemode: boolean
  sessions: Map<string, Session>
  payments: Map<string, PaymentIntent>
  charges: Map<string, Charge>
  refunds: Map<string, Refund>
  disputes: Map<string, Dispute>
  /** Oldest first. */
  events: Event[]
  /** The most items on a page of a list, however many are asked for. Stripe's is 100. */
  mostOnPage: number
  /** Is told of every event as it happens. */
  onEvent(event: Event): void
}

/** Creates an empty account. */
export const createAccount = (livemode: boolean, onEvent: (event: Event) => void): Account => ({
  livemode,
  sessions: new Map(),
  payments: new Map(),
  charges: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  events: [],
  mostOnPage: 100,
  onEvent,
})

/** The version events are written in, other than the one a client may ask for. */
const EVENT_VERSION = '2025-03-31.basil'

/** Records an event about an object as it is now, whatever happens to it before the event is delivered. */
export function tell(account: Account, type: string, object: StripeObject): void {
  const event: Event = {
    id: newId('evt'),
    object: 'event',
    api_version: EVENT_VERSION,
    created: unixNow(),
    livemode: account.livemode,
    type,
    data: { object: structuredClone(object) },
  }
  account.events.push(event)
  account.onEvent(event)
}

/**
 * Returns the object of an id.
 * @throws Error when there is nothing.
 */
export function kept<Kept>(of: Map<string, Kept>, id: string | null): Kept {
  const found = of.get(id ?? '')
  if (!found) throw new Error(`there is no ${id}`)
  return found
}

/** Returns the charge that a session was paid with. */
export function chargeOf({ sessions, payments, charges }: Account, session_id: string): Charge {
  const payment = kept(payments, kept(sessions, session_id).payment_intent)
  return kept(charges, payment.latest_charge)
}

/** Cents that were paid in the sessions with this reference, and have not left again. */
export function moneyOf(account: Account, client_reference_id: string): number {
  const sessions = [...account.sessions.values()].filter((one) => one.client_reference_id === client_reference_id)
  const paid = new Set(sessions.map((session) => session.payment_intent))
  const total = (items: { amount: number; payment_intent: string }[]) =>
    items.filter((item) => paid.has(item.payment_intent)).reduce((sum, { amount }) => sum + amount, 0)
  const left = [...account.refunds.values()].filter(hasLeft)
  const withdrawn = [...account.disputes.values()].filter(isWithdrawn)
  return total([...account.charges.values()]) - total(left) - total(withdrawn)
}
