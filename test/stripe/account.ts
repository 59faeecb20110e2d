import { randomBytes } from 'node:crypto'

/** The objects of Stripe's API, with the members that a seller of credits reads. Amounts are in cents. */
export type Session = {
  id: string
  created: number
  livemode: boolean
  mode: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  amount_total: number
  currency: string
  client_reference_id: string | null
  metadata: Record<string, string>
  payment_intent: string | null
  success_url: string
  cancel_url: string
  url: string | null
  line_items: { quantity: number; unit_amount: number }[]
}
export type Payment = { id: string; status: string; latest_charge: string | null }
export type Charge = {
  id: string
  amount: number
  amount_refunded: number
  currency: string
  disputed: boolean
  payment_intent: string
}
type Movement = {
  id: string
  created: number
  amount: number
  currency: string
  charge: string
  payment_intent: string
}
export type Refund = Movement & { status: 'pending' | 'succeeded' | 'failed' }
export type Dispute = Movement & {
  status: 'warning_needs_response' | 'warning_closed' | 'needs_response' | 'under_review' | 'won' | 'lost'
}
type StripeObject = Session | Payment | Charge | Refund | Dispute
export type Event = {
  id: string
  object: 'event'
  created: number
  livemode: boolean
  type: string
  data: { object: StripeObject }
}

/** An account at Stripe: what is in it, and what happened. `happenings.ts` changes it. */
export type Account = {
  sessions: Map<string, Session>
  payments: Map<string, Payment>
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
export const createAccount = (onEvent: (event: Event) => void): Account => ({
  sessions: new Map(),
  payments: new Map(),
  charges: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  events: [],
  mostOnPage: 100,
  onEvent,
})

/** Creates a new id as Stripe makes them. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

/** Returns the present time as Stripe writes it. */
export const unixNow = (): number => Math.floor(Date.now() / 1_000)

/** Records an event about an object as it is now, whatever happens to it before the event is delivered. */
export function tell(account: Account, type: string, object: StripeObject): void {
  const data = { object: structuredClone(object) }
  const event: Event = { id: newId('evt'), object: 'event', created: unixNow(), livemode: false, type, data }
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
  return kept(charges, kept(payments, kept(sessions, session_id).payment_intent).latest_charge)
}
