import { z } from 'zod'
import type { MicroCredits } from '../money.ts'
import type { TakeBackKind } from '../purchase-rules.ts'

/** 1 credit = 1 USD: a cent is 10,000 micro-credits. */
const MICRO_PER_CENT = 10_000
export const CENTS_PER_CREDIT = 100

const cents = z.int().min(0)

/** Seconds since 1970; now where it is left out. */
const unixTime = z.int().default(() => Math.floor(Date.now() / 1_000))

/** Whether an object is of this one of Stripe's two modes; one that does not say is taken to be. */
export const isOfMode = (livemode: boolean, object: { livemode?: boolean | undefined }): boolean =>
  object.livemode === undefined || object.livemode === livemode

/** An object, or its id where it was not asked to be expanded. */
const idOf = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])

const Charge = z.object({ amount_refunded: cents, disputed: z.boolean() })
const Payment = z.object({
  id: z.string(),
  status: z.string(),
  latest_charge: z.union([z.string(), Charge]).nullish(),
})

/**
 * What we read of a checkout session that was asked for with its payment and charge. Anybody's, not only ours. Stand-ins
 * for Stripe leave out what Stripe itself sends as null.
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

/** By these we know a session as ours, and what was to be bought in it. */
const OurMetadata = z.object({ placefleet_user: z.string(), placefleet_credits: z.string().regex(/^[1-9]\d{0,4}$/) })

/** The metadata of a session of ours, and of its payment. */
export const ourMetadata = (user_id: string, credits: number): z.infer<typeof OurMetadata> => ({
  placefleet_user: user_id,
  placefleet_credits: String(credits),
})

/** A session in which credits are bought. */
export type CheckoutSession = {
  id: string
  user_id: string
  /** What is credited once it is paid. */
  amount: MicroCredits
  created: Date
  /** `over`: it will never be paid. `wrong`: it was, but not as we asked for; see `fault`. */
  state: 'open' | 'paid' | 'over' | 'wrong'
  fault?: string
  payment_intent?: string
  /** Whether money of it went back, or may have. */
  disturbed: boolean
}

/** A session of ours in our words; undefined when it is not ours, or of the other of Stripe's two modes. */
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
  return `it is over ${session.amount_total} ${session.currency} cents, where ${due} usd cents were asked for`
}

/** A payment that takes days is complete and unpaid until it succeeds, or falls back to one of these. */
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

/** Money that went back out of a payment, or came to us again. */
export type Movement = { id: string; kind: TakeBackKind; amount: MicroCredits; withdrawn: boolean }

const usd = z.literal('usd')

/** https://docs.stripe.com/api/refunds/object: a pending one has left our balance, a failed one has come back. */
const REFUND_WITHDRAWN = { pending: true, requires_action: true, succeeded: true, failed: false, canceled: false }

/** What we read of a refund. An unknown status is an answer we do not understand, which is tried again later. */
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

/** https://docs.stripe.com/disputes/how-disputes-work: the money leaves when it opens; a warning moves none. */
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

/** What we read of a dispute. */
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

/** What we read of an event: which, and about which object. Its contents may be old; the object is asked for again. */
export const StripeEvent = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  livemode: z.boolean().optional(),
  created: unixTime,
  data: z.object({ object: z.unknown() }),
})
export type StripeEvent = z.infer<typeof StripeEvent>

/** An object with an id of its own, as events about sessions carry it. */
export const WithId = z.object({ id: z.string() })

/** An object of a payment: a charge, a refund or a dispute. */
export const OfPayment = z.object({ payment_intent: idOf.nullish() })

function keysOf<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record).filter((key): key is Key => key in record)
}
