import { z } from 'zod'
import type { MicroCredits } from '../../prices/cost.ts'
import type { TakeBackKind } from '../purchase-rules.ts'

/** 1 credit = 1 USD: a cent is 10,000 micro-credits. */
const MICRO_PER_CENT = 10_000
export const CENTS_PER_CREDIT = 100

const cents = z.int().min(0)

/** Unix time; the current time when absent. */
const unixTime = z.int().default(() => Math.floor(Date.now() / 1_000))

/** Returns whether an object belongs to this mode of Stripe. An object without `livemode` counts as ours. */
export const isOfMode = (livemode: boolean, object: { livemode?: boolean | undefined }): boolean =>
  object.livemode === undefined || object.livemode === livemode

/** An expanded object, or its id. */
const idOf = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])

const Charge = z.object({ amount_refunded: cents, disputed: z.boolean() })
const Payment = z.object({
  id: z.string(),
  status: z.string(),
  latest_charge: z.union([z.string(), Charge]).nullish(),
})

/**
 * The fields we read of a checkout session with its payment and charge expanded. Stand-ins for Stripe omit what Stripe
 * sends as null.
 */
export const StripeSession = z.object({
  id: z.string(),
  livemode: z.boolean().optional(),
  created: unixTime,
  status: z.string().nullish(),
  payment_status: z.string(),
  amount_total: cents.nullish(),
  currency: z.string().nullish(),
  client_reference_id: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  payment_intent: z.union([z.string(), Payment]).nullish(),
  url: z.string().nullish(),
})
export type StripeSession = z.infer<typeof StripeSession>

/** Marks a session as ours and records what it buys. */
const OurMetadata = z.object({ placefleet_user: z.string(), placefleet_credits: z.string().regex(/^[1-9]\d{0,4}$/) })

/** Returns the metadata of our sessions and their payments. */
export const ourMetadata = (user_id: string, credits: number): z.infer<typeof OurMetadata> => ({
  placefleet_user: user_id,
  placefleet_credits: String(credits),
})

/** A session that buys credits. */
export type CheckoutSession = {
  id: string
  user_id: string
  /** The credits to add once it is paid. */
  amount: MicroCredits
  created: Date
  /** `over`: will never be paid. `wrong`: paid, but not as requested; see `fault`. */
  state: 'open' | 'paid' | 'over' | 'wrong'
  fault?: string
  payment_intent?: string
  /** Whether money went back, or may have. */
  disturbed: boolean
}

/** Translates a session; undefined when it is not ours, or belongs to the other mode of Stripe. */
export function checkoutSession(session: StripeSession, livemode: boolean): CheckoutSession | undefined {
  const ours = OurMetadata.safeParse(session.metadata)
  if (!ours.success || !isOfMode(livemode, session)) return undefined
  const { placefleet_user: user_id, placefleet_credits: credits } = ours.data
  if (session.client_reference_id !== user_id) return undefined
  const due = Number(credits) * CENTS_PER_CREDIT
  const fault = faultOf(session, due)
  const payment = session.payment_intent
  return {
    id: session.id,
    user_id,
    amount: due * MICRO_PER_CENT,
    created: new Date(session.created * 1_000),
    state: fault === undefined ? stateOf(session) : 'wrong',
    ...(fault === undefined ? {} : { fault }),
    ...(payment === null || payment === undefined
      ? {}
      : { payment_intent: typeof payment === 'string' ? payment : payment.id }),
    disturbed: isDisturbed(session),
  }
}

function faultOf(session: StripeSession, due: number): string | undefined {
  if (session.status !== 'complete') return undefined
  if (session.amount_total === due && session.currency === 'usd') return undefined
  return `its amount is ${session.amount_total} ${session.currency} cents instead of ${due} usd cents`
}

/** A delayed payment is complete and unpaid until it succeeds, or fails with one of these. */
const FAILED_PAYMENT = ['requires_payment_method', 'canceled']

function stateOf({ status, payment_status, payment_intent }: StripeSession): 'open' | 'paid' | 'over' {
  if (status === 'complete' && payment_status === 'paid') return 'paid'
  if (status === 'expired') return 'over'
  const payment = typeof payment_intent === 'object' ? payment_intent?.status : undefined
  return status === 'complete' && payment !== undefined && FAILED_PAYMENT.includes(payment) ? 'over' : 'open'
}

function isDisturbed({ payment_intent }: StripeSession): boolean {
  const charge = typeof payment_intent === 'object' ? payment_intent?.latest_charge : undefined
  return typeof charge === 'object' && charge !== null && (charge.amount_refunded > 0 || charge.disputed)
}

/** Money that left a payment again, or returned. */
export type Movement = { id: string; kind: TakeBackKind; amount: MicroCredits; withdrawn: boolean }

const usd = z.literal('usd')

/** https://docs.stripe.com/api/refunds/object: a pending refund has left our balance, a failed one has returned. */
const REFUND_WITHDRAWN = { pending: true, requires_action: true, succeeded: true, failed: false, canceled: false }

/** The fields we read of a refund. A refund with an unknown status is retried later. */
export const StripeRefund = z
  .object({ id: z.string(), amount: cents, currency: usd, status: z.enum(keysOf(REFUND_WITHDRAWN)) })
  .transform(
    ({ id, amount, status }): Movement => ({
      id,
      kind: 'refund',
      amount: amount * MICRO_PER_CENT,
      withdrawn: REFUND_WITHDRAWN[status],
    }),
  )

/** https://docs.stripe.com/disputes/how-disputes-work: the money leaves when a dispute opens; a warning moves none. */
const DISPUTE_WITHDRAWN = {
  warning_needs_response: false,
  warning_under_review: false,
  warning_closed: false,
  prevented: false,
  needs_response: true,
  under_review: true,
  appeal_needs_response: true,
  appeal_under_review: true,
  lost: true,
  won: false,
}

/** The fields we read of a dispute. */
export const StripeDispute = z
  .object({ id: z.string(), amount: cents, currency: usd, status: z.enum(keysOf(DISPUTE_WITHDRAWN)) })
  .transform(
    ({ id, amount, status }): Movement => ({
      id,
      kind: 'dispute',
      amount: amount * MICRO_PER_CENT,
      withdrawn: DISPUTE_WITHDRAWN[status],
    }),
  )

/**
 * The fields we read of an event: its type and object. Its contents may be outdated, so the object is fetched again.
 */
export const StripeEvent = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  livemode: z.boolean().optional(),
  created: unixTime,
  data: z.object({ object: z.unknown() }),
})
export type StripeEvent = z.infer<typeof StripeEvent>

/** An object with an id, as in events about sessions. */
export const WithId = z.object({ id: z.string() })

/** An object of a payment: a charge, refund or dispute. */
export const OfPayment = z.object({ payment_intent: idOf.nullish() })

function keysOf<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record).filter((key): key is Key => key in record)
}
