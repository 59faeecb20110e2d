import type { Logger } from '@placefleet/shared/log'
import type { EventDocument, Subject } from './documents.ts'
import { isOfMode, type StripeEvent } from './objects.ts'
import { CHECKOUT_EVENTS, subjectOfCheckout } from './on-checkout.ts'
import { DISPUTE_EVENTS, subjectOfDispute } from './on-dispute.ts'
import { REFUND_EVENTS, subjectOfRefund } from './on-refund.ts'
import type { Settlement } from './settlement.ts'
import type { EventStore } from './store.ts'

/** What became of an event: it was acted on, is none of our business, or was acted on when it came first. */
export type Received = 'handled' | 'ignored' | 'duplicate'

/** Takes in the events of Stripe. */
export type Events = {
  /**
   * Stores an event, then acts on it.
   * @throws AppError when Stripe or the database is down: it may be sent again, and the sweeper tries again if stored.
   */
  receive(event: StripeEvent): Promise<Received>
  /** Stores an event for the sweeper to act on. */
  keep(event: StripeEvent): Promise<void>
  /** Acts on a stored event. */
  handle(event: EventDocument): Promise<Received>
}

/** Every type of event that is acted on, and what it is about. */
const SUBJECTS = new Map<string, (object: unknown) => Subject | undefined>([
  ...CHECKOUT_EVENTS.map((type) => [type, subjectOfCheckout] as const),
  ...REFUND_EVENTS.map((type) => [type, subjectOfRefund] as const),
  ...DISPUTE_EVENTS.map((type) => [type, subjectOfDispute] as const),
])

/** The types of events that are acted on. */
export const EVENT_TYPES = [...SUBJECTS.keys()]

/** So long the sweeper leaves an event to the request that brought it. */
const IN_REQUEST_MS = 30_000

export type EventParts = { store: EventStore; settlement: Settlement; livemode: boolean; log: Logger }

/** Acts on events by settling what they are about. */
export function createEvents({ store, settlement, livemode, log }: EventParts): Events {
  const stored = (event: StripeEvent, graceMs: number) => {
    const ours = isOfMode(livemode, event)
    if (!ours) log.warn({ event: event.id, type: event.type }, 'an event of the other mode of Stripe is ignored')
    const subject = ours ? SUBJECTS.get(event.type)?.(event.data.object) : undefined
    return store.add({ id: event.id, type: event.type, created: new Date(event.created * 1_000), subject }, graceMs)
  }
  const handle = async ({ _id, type, subject }: EventDocument): Promise<Received> => {
    if (!subject) return 'ignored'
    const outcome = await settleSubject(settlement, subject)
    const received = outcome === 'foreign' ? 'ignored' : 'handled'
    await store.end(_id, received)
    log.info({ event: _id, type, outcome }, 'an event of Stripe was handled')
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

const settleSubject = (settlement: Settlement, subject: Subject) =>
  'session_id' in subject ? settlement.settle(subject.session_id) : settlement.settlePayment(subject.payment_intent)
