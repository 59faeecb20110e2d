import type { Logger } from '@placefleet/shared/log'
import Stripe from 'stripe'
import { AppError } from '../../../http/errors.ts'
import type { EventDocument, Subject } from './documents.ts'
import { isOfMode, OfPayment, StripeEvent, WithId } from './objects.ts'
import type { Reconciler } from './reconcile.ts'
import type { EventStore } from './store.ts'

/** A session was completed, its payment succeeded or failed, or it expired. */
const CHECKOUT_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
]

/** A refund changed. The first event is about the charge, the others are about the refund. */
const REFUND_EVENTS = ['charge.refunded', 'charge.refund.updated', 'refund.created', 'refund.updated', 'refund.failed']

/** A dispute changed. The money leaves when it opens, and returns only if the dispute is won. */
const DISPUTE_EVENTS = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
]

/** Events about money that went back. The sweep reads them from Stripe, because nothing else finds a lost one. */
export const TAKE_BACK_EVENTS = [...REFUND_EVENTS, ...DISPUTE_EVENTS]

const SUBJECTS = new Map<string, (object: unknown) => Subject | undefined>([
  ...CHECKOUT_EVENTS.map((type) => [type, sessionOf] as const),
  ...TAKE_BACK_EVENTS.map((type) => [type, paymentOf] as const),
])

/** Returns what an event is about; undefined when we do not handle its type. */
const subjectOf = (type: string, object: unknown): Subject | undefined => SUBJECTS.get(type)?.(object)

function sessionOf(object: unknown): Subject | undefined {
  const session = WithId.safeParse(object).data
  return session && { session_id: session.id }
}

/** Undefined for a charge that no payment page made. */
function paymentOf(object: unknown): Subject | undefined {
  const payment_intent = OfPayment.safeParse(object).data?.payment_intent
  return typeof payment_intent === 'string' ? { payment_intent } : undefined
}

/** The maximum age of an event, so that an intercepted one cannot be replayed later. */
const TOLERANCE_SECONDS = 300

/**
 * Returns the event in a body that Stripe signed at most 300 s ago.
 * @throws AppError `bad_request` otherwise. Neither the error nor its causes reveal the secret.
 */
export function signedEvent(body: Buffer, signature: string | undefined, secret: string): StripeEvent {
  const parsed = StripeEvent.safeParse(verified(body, signature, secret))
  if (!parsed.success) throw new AppError('bad_request', 'The body is not a Stripe event.')
  return parsed.data
}

function verified(body: Buffer, signature: string | undefined, secret: string): unknown {
  try {
    return Stripe.webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_SECONDS)
  } catch {
    // The thrown error contains the whole body, so it is not passed on.
    throw new AppError('bad_request', 'The `Stripe-Signature` is missing, wrong or older than 300 s.')
  }
}

/** The result for an event: handled, ignored because it is not ours, or a duplicate. */
export type Received = 'handled' | 'ignored' | 'duplicate'

/** Handles the events of Stripe. */
export type Events = {
  /**
   * Stores an event, then handles it.
   * @throws AppError when Stripe or the database is down. Stripe may send the event again, and the sweep retries a
   * stored one.
   */
  receive(event: StripeEvent): Promise<Received>
  /** Stores an event for the sweep to handle. */
  keep(event: StripeEvent): Promise<void>
  /** Handles a stored event. */
  handle(event: EventDocument): Promise<Received>
}

/** How long the sweep leaves an event to the request that brought it. */
const IN_REQUEST_MS = 30_000

type EventDeps = { store: EventStore; reconciler: Reconciler; livemode: boolean; log: Logger }

/** Handles an event by settling its subject. */
export function createEvents({ store, reconciler, livemode, log }: EventDeps): Events {
  const stored = (event: StripeEvent, graceMs: number) => {
    const ours = isOfMode(livemode, event)
    if (!ours) log.warn({ event: event.id, type: event.type }, 'ignored an event of the other Stripe mode')
    const subject = ours ? subjectOf(event.type, event.data.object) : undefined
    return store.add({ id: event.id, type: event.type, created: new Date(event.created * 1_000), subject }, graceMs)
  }
  const handle = async ({ _id, type, subject }: EventDocument): Promise<Received> => {
    if (!subject) return 'ignored'
    const outcome = await reconcileSubject(reconciler, subject)
    const received = outcome === 'foreign' ? 'ignored' : 'handled'
    await store.end(_id, received)
    log.info({ event: _id, type, outcome }, 'handled an event of Stripe')
    return received
  }
  return {
    handle,
    keep: async (event) => void (await stored(event, 0)),
    async receive(event) {
      const document = await stored(event, IN_REQUEST_MS)
      return document.state === 'handled' ? 'duplicate' : handle(document)
    },
  }
}

const reconcileSubject = (reconciler: Reconciler, subject: Subject) =>
  'session_id' in subject
    ? reconciler.reconcile(subject.session_id)
    : reconciler.reconcilePayment(subject.payment_intent)
