import type { Collection, Db } from 'mongodb'
import { collection } from '../../mongo/connect.ts'
import type { Index } from '../../mongo/indexes.ts'

/** The subject of an event: a checkout session, or a payment whose session must be looked up. */
export type Subject = { session_id: string } | { payment_intent: string }

/** A known checkout session. `_id` is Stripe's id. */
export type CheckoutDocument = {
  _id: string
  user_id: string
  created_at: Date
  /** `open`: may still be paid. `settled`: credited. `over`: ended without a payment. The last two are final. */
  state: 'open' | 'settled' | 'over'
  payment_intent?: string
  /** When the sweep checks it next. Present only while it is open. */
  due_at?: Date
}

/** An event of Stripe, stored before it is handled. `_id` is Stripe's id. */
export type EventDocument = {
  _id: string
  type: string
  created_at: Date
  received_at: Date
  state: 'received' | 'handled' | 'ignored'
  /** Absent when we do not handle the type. */
  subject?: Subject
  attempts: number
  /** When the sweep handles it, unless it is handled by then. */
  due_at: Date
}

/** How far events were read from Stripe, and when a coordinator reads next. */
export type CursorDocument = { _id: 'events'; until: Date; due_at: Date }

export const checkoutsOf = (db: Db): Collection<CheckoutDocument> => collection(db, 'checkouts')
export const eventsOf = (db: Db): Collection<EventDocument> => collection(db, 'stripe_events')
export const cursorOf = (db: Db): Collection<CursorDocument> => collection(db, 'stripe_cursor')

/** Stripe forgets events after 30 days, so older ones are not needed. */
const KEEP_EVENTS_SECONDS = 60 * 24 * 3_600

/** The indexes that the queries of this folder need. */
export const stripeIndexes: readonly Index[] = [
  { collection: 'checkouts', name: 'due', key: { state: 1, due_at: 1 } },
  { collection: 'checkouts', name: 'payment', key: { payment_intent: 1 } },
  { collection: 'stripe_events', name: 'due', key: { state: 1, due_at: 1 } },
  { collection: 'stripe_events', name: 'expiry', key: { received_at: 1 }, expireAfterSeconds: KEEP_EVENTS_SECONDS },
]
