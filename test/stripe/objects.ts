import { randomBytes } from 'node:crypto'

/** The objects of Stripe's API that this stand-in keeps, with the members a buyer of credits meets. */
export type Session = {
  id: string
  object: 'checkout.session'
  created: number
  livemode: boolean
  mode: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  amount_total: number
  currency: string
  client_reference_id: string | null
  metadata: Record<string, string>
  payment_intent: string | null
  success_url: string
  cancel_url: string
  url: string | null
  line_items: { quantity: number; unit_amount: number; name: string }[]
}

export type PaymentIntent = {
  id: string
  object: 'payment_intent'
  created: number
  livemode: boolean
  amount: number
  currency: string
  status: 'processing' | 'succeeded' | 'requires_payment_method'
  latest_charge: string | null
}

export type Charge = {
  id: string
  object: 'charge'
  created: number
  livemode: boolean
  amount: number
  amount_refunded: number
  currency: string
  refunded: boolean
  disputed: boolean
  paid: boolean
  payment_intent: string
}

export type RefundStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'
export type Refund = {
  id: string
  object: 'refund'
  created: number
  amount: number
  currency: string
  status: RefundStatus
  charge: string
  payment_intent: string
}

export type DisputeStatus =
  | 'warning_needs_response'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost'
export type Dispute = {
  id: string
  object: 'dispute'
  created: number
  livemode: boolean
  amount: number
  currency: string
  status: DisputeStatus
  charge: string
  payment_intent: string
}

export type StripeObject = Session | PaymentIntent | Charge | Refund | Dispute

export type Event = {
  id: string
  object: 'event'
  api_version: string
  created: number
  livemode: boolean
  type: string
  data: { object: StripeObject }
}

/** Returns whether the money of a refund has left the account. */
export const hasLeft = (refund: Refund): boolean => refund.status === 'pending' || refund.status === 'succeeded'

const WITHDRAWN: DisputeStatus[] = ['needs_response', 'under_review', 'lost']

/** Returns whether the money of a dispute has left the account. */
export const isWithdrawn = (dispute: Dispute): boolean => WITHDRAWN.includes(dispute.status)

/** Creates a new id as Stripe makes them. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

/** Returns the present time as Stripe writes it. */
export const unixNow = (): number => Math.floor(Date.now() / 1_000)
