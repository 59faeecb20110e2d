import type { Collection, Db } from 'mongodb'
import { collection, deploymentOf } from '../../../mongo/connect.ts'
import { type Due, dueIndex } from '../../../mongo/due-work.ts'
import type { Index } from '../../../mongo/indexes.ts'

/** The subject of an event: a checkout session, or a payment whose session must be looked up. */
export type Subject = { session_id: string } | { payment_intent: string }

/** A known checkout session. `_id` is Stripe's id. It is due while it is open. */
export type CheckoutDocument = Due & {
  user_id: string
  created_at: Date
  /**
   * `open`: may still be paid. `credited`: its credits are in the ledger. `over`: ended without a payment. The last two
   * are final.
   */
  state: 'open' | 'credited' | 'over'
  /** When it was seen to be over. */
  over_at?: Date
  payment_intent?: string
}

/** An event of Stripe, stored before it is handled. `_id` is Stripe's id. It is due until it is handled. */
export type EventDocument = Due & {
  type: string
  created_at: Date
  received_at: Date
  state: 'received' | 'handled' | 'ignored'
  /** Absent when we do not handle the type. */
  subject?: Subject
  attempts: number
}

/** How far events were read from Stripe. It is due for the next read. */
export type CursorDocument = Due & { _id: 'stripe_events'; until: Date }

export const checkoutsOf = (db: Db): Collection<CheckoutDocument> => collection(db, 'checkouts')
export const eventsOf = (db: Db): Collection<EventDocument> => collection(db, 'stripe_events')
export const cursorOf = deploymentOf<CursorDocument>

/** Stripe forgets events after 30 days, so older ones are not needed. */
const KEEP_EVENTS_SECONDS = 60 * 24 * 3_600

/** How long a checkout is kept that ended without a payment. */
const KEEP_OVER_SECONDS = 30 * 24 * 3_600

/** The indexes that the queries of this folder need. */
export const stripeIndexes: readonly Index[] = [
  dueIndex('checkouts'),
  { collection: 'checkouts', name: 'payment', key: { payment_intent: 1 } },
  { collection: 'checkouts', name: 'expiry', key: { over_at: 1 }, expireAfterSeconds: KEEP_OVER_SECONDS },
  dueIndex('stripe_events'),
  { collection: 'stripe_events', name: 'expiry', key: { received_at: 1 }, expireAfterSeconds: KEEP_EVENTS_SECONDS },
]
