import type { Logger } from '@placefleet/shared/log'
import type { EventDocument, Subject } from './documents.ts'
import { subjectOf } from './event-subjects.ts'
import { isOfMode, type StripeEvent } from './objects.ts'
import type { Settlement } from './settlement.ts'
import type { EventStore } from './store.ts'

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

type EventDeps = { store: EventStore; settlement: Settlement; livemode: boolean; log: Logger }

/** Handles an event by settling its subject. */
export function createEvents({ store, settlement, livemode, log }: EventDeps): Events {
  const stored = (event: StripeEvent, graceMs: number) => {
    const ours = isOfMode(livemode, event)
    if (!ours) log.warn({ event: event.id, type: event.type }, 'ignored an event of the other Stripe mode')
    const subject = ours ? subjectOf(event.type, event.data.object) : undefined
    return store.add({ id: event.id, type: event.type, created: new Date(event.created * 1_000), subject }, graceMs)
  }
  const handle = async ({ _id, type, subject }: EventDocument): Promise<Received> => {
    if (!subject) return 'ignored'
    const outcome = await settleSubject(settlement, subject)
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

const settleSubject = (settlement: Settlement, subject: Subject) =>
  'session_id' in subject ? settlement.settle(subject.session_id) : settlement.settlePayment(subject.payment_intent)
