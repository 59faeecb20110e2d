import Stripe from 'stripe'
import { z } from 'zod'
import { AppError } from '../../../http/errors.ts'
import {
  CENTS_PER_CREDIT,
  type CheckoutSession,
  checkoutSession,
  type Movement,
  ourMetadata,
  StripeDispute,
  StripeEvent,
  StripeRefund,
  StripeSession,
  WithId,
} from './objects.ts'

/** A checkout to open. The same `idempotencyKey` never opens a second one. */
type NewCheckout = {
  user_id: string
  credits: number
  successUrl: string
  cancelUrl: string
  idempotencyKey: string
}

/**
 * The calls to Stripe. Each throws AppError `billing_unavailable` when Stripe is unreachable or too slow, and
 * `bad_gateway` when its response is invalid.
 */
export type StripeGateway = {
  /** Whether the key belongs to live mode, where money is real. Objects of the other mode are not ours. */
  livemode: boolean
  openSession(checkout: NewCheckout): Promise<{ id: string; url: string; created: Date }>
  /** Returns the current state of a session; undefined when it does not exist or is not ours. */
  session(id: string): Promise<CheckoutSession | undefined>
  /** Returns the id of the session of a payment, ours or not. */
  sessionOfPayment(payment_intent: string): Promise<string | undefined>
  /**
   * Yields all refunds of a payment, then its disputes, in their current state. Those read before a failure are valid.
   */
  movements(payment_intent: string): AsyncIterable<Movement>
  /** Yields events of these types since a time, newest first. Stripe keeps them for 30 days. */
  events(types: string[], since: Date): AsyncIterable<StripeEvent>
  /** Yields every completed session of ours, newest first. */
  completedSessions(): AsyncIterable<CheckoutSession>
}

const CHARGE = 'payment_intent.latest_charge'
/** The largest page of Stripe. */
const PAGE = 100

/** Creates the gateway over the official client. */
export function createStripeGateway(stripe: Stripe, livemode: boolean): StripeGateway {
  const openSession = async (checkout: NewCheckout) => {
    const options = { idempotencyKey: checkout.idempotencyKey }
    const session = await ask(StripeSession, stripe.checkout.sessions.create(sessionFor(checkout), options))
    const { url } = understood(z.object({ url: z.url() }), session)
    return { id: session.id, url, created: new Date(session.created * 1_000) }
  }
  const session = async (id: string) => {
    try {
      const session = await ask(StripeSession, stripe.checkout.sessions.retrieve(id, { expand: [CHARGE] }))
      return checkoutSession(session, livemode)
    } catch (error) {
      if (error instanceof AppError && isMissing(error.cause)) return undefined
      throw error
    }
  }
  return {
    livemode,
    openSession,
    session,
    async sessionOfPayment(payment_intent) {
      const List = z.object({ data: z.array(WithId) })
      return (await ask(List, stripe.checkout.sessions.list({ payment_intent, limit: 1 }))).data[0]?.id
    },
    async *movements(payment_intent) {
      const of = { payment_intent, limit: PAGE }
      yield* each(StripeRefund, stripe.refunds.list(of))
      yield* each(StripeDispute, stripe.disputes.list(of))
    },
    events: (types, since) =>
      each(StripeEvent, stripe.events.list({ types, created: { gte: unixSeconds(since) }, limit: PAGE })),
    async *completedSessions() {
      const list = stripe.checkout.sessions.list({ status: 'complete', expand: [`data.${CHARGE}`], limit: PAGE })
      for await (const session of each(StripeSession, list)) {
        const ours = checkoutSession(session, livemode)
        if (ours) yield ours
      }
    },
  }
}

async function ask<Schema extends z.ZodType>(schema: Schema, call: PromiseLike<unknown>): Promise<z.infer<Schema>> {
  try {
    return understood(schema, await call)
  } catch (error) {
    throw stripeFailure(error)
  }
}

async function* each<Schema extends z.ZodType>(schema: Schema, list: AsyncIterable<unknown>) {
  try {
    for await (const item of list) yield understood(schema, item)
  } catch (error) {
    throw stripeFailure(error)
  }
}

function sessionFor({ user_id, credits, successUrl, cancelUrl }: NewCheckout): Stripe.Checkout.SessionCreateParams {
  const metadata = ourMetadata(user_id, credits)
  const product_data = { name: 'Placefleet credits' }
  return {
    mode: 'payment',
    line_items: [{ quantity: credits, price_data: { currency: 'usd', unit_amount: CENTS_PER_CREDIT, product_data } }],
    client_reference_id: user_id,
    metadata,
    payment_intent_data: { metadata },
    adaptive_pricing: { enabled: false }, // else it may be paid in another currency than USD
    success_url: successUrl,
    cancel_url: cancelUrl,
  }
}

const unixSeconds = (time: Date) => Math.floor(time.getTime() / 1_000)

const { StripeConnectionError, StripeError, StripeInvalidRequestError } = Stripe.errors

/** Returns whether Stripe says that the object does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof StripeInvalidRequestError && error.code === 'resource_missing'

/** Translates a failed call: `billing_unavailable` when a retry may succeed, else `bad_gateway`. */
function stripeFailure(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const status = cause instanceof StripeError ? (cause.statusCode ?? 0) : 0
  if (cause instanceof StripeConnectionError || status === 429 || status >= 500) {
    const message = 'The payment processor is unavailable. Nothing was charged. Try again soon.'
    return new AppError('billing_unavailable', message, { cause, headers: { 'retry-after': '10' } })
  }
  return wrongAnswer(cause)
}

/**
 * Parses a response of Stripe.
 * @throws AppError `bad_gateway` when it does not match the schema.
 */
export function understood<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw wrongAnswer(parsed.error)
  return parsed.data
}

const wrongAnswer = (cause: unknown) =>
  new AppError('bad_gateway', 'The payment processor sent an invalid response. It has been logged.', {
    cause,
  })
