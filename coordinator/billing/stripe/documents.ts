import type { Collection, Db } from 'mongodb'
import { collection } from '../../mongo/connect.ts'
import type { Index } from '../../mongo/indexes.ts'

/** What an event is about: a checkout session, or a payment whose session is to be found. */
export type Subject = { session_id: string } | { payment_intent: string }

/** A checkout session that we know of. `_id` is Stripe's id of it. */
export type CheckoutDocument = {
  _id: string
  user_id: string
  created_at: Date
  /** `open`: it may yet be paid. `settled`: it was credited, for good. `over`: it was not paid in time. */
  state: 'open' | 'settled' | 'over'
  payment_intent?: string
  /** When the sweeper asks Stripe about it next. Only while it is open. */
  due_at?: Date
}

/** An event of Stripe, stored before anything is done about it. `_id` is Stripe's id of it. */
export type EventDocument = {
  _id: string
  type: string
  created_at: Date
  received_at: Date
  state: 'received' | 'handled' | 'ignored'
  /** Absent when the type is none of ours. */
  subject?: Subject
  attempts: number
  /** When the sweeper tries again, unless it is handled by then. */
  due_at: Date
}

/** How far the events were read from Stripe, and when a coordinator does so next. */
export type CursorDocument = { _id: 'events'; until: Date; due_at: Date }

export const checkoutsOf = (db: Db): Collection<CheckoutDocument> => collection(db, 'checkouts')
export const eventsOf = (db: Db): Collection<EventDocument> => collection(db, 'stripe_events')
export const cursorOf = (db: Db): Collection<CursorDocument> => collection(db, 'stripe_cursor')

/** An event is of no use to us once Stripe has forgotten it, which it does after 30 days. */
const KEEP_EVENTS_SECONDS = 60 * 24 * 3_600

/** What this folder's queries rest on. */
export const stripeIndexes: readonly Index[] = [
  { collection: 'checkouts', name: 'due', key: { state: 1, due_at: 1 } },
  { collection: 'checkouts', name: 'payment', key: { payment_intent: 1 } },
  { collection: 'stripe_events', name: 'due', key: { state: 1, due_at: 1 } },
  { collection: 'stripe_events', name: 'expiry', key: { received_at: 1 }, expireAfterSeconds: KEEP_EVENTS_SECONDS },
]
