import type { Db } from 'mongodb'
import { createDueQueue, type DueQueue, NOT_DUE } from '../../../mongo/due-work.ts'
import { isDuplicateKey } from '../../../mongo/failures.ts'
import {
  type CheckoutDocument,
  type CursorDocument,
  checkoutsOf,
  cursorOf,
  type EventDocument,
  eventsOf,
  type Subject,
} from './documents.ts'
import type { CheckoutSession } from './objects.ts'

export type Checkouts = {
  /** Stores an opened session. */
  add(session: { id: string; user_id: string; created: Date }): Promise<void>
  find(session_id: string): Promise<CheckoutDocument | undefined>
  /** Returns the session of a payment, if it was credited here. */
  ofPayment(payment_intent: string): Promise<string | undefined>
  /** Marks a session as credited, and stores it if it is unknown. */
  markCredited(session: CheckoutSession): Promise<void>
  /** Marks an open session as ended without a payment. */
  abandon(session_id: string): Promise<void>
  /** Leases an open session that is due for a check, until its next check. */
  takeDue: DueQueue<CheckoutDocument>['take']
}

const FIRST_LOOK_MS = 60_000
const LONGEST_WAIT_MS = 6 * 3_600_000

const AGE_MS = { $subtract: ['$$NOW', '$created_at'] }

/**
 * The next check of an open session is half its age away: minutes while it is likely to be paid, hours for a payment
 * that takes days.
 */
const UNTIL_NEXT_LOOK_MS = {
  $min: [LONGEST_WAIT_MS, { $max: [FIRST_LOOK_MS, { $trunc: { $divide: [AGE_MS, 2] } }] }],
}

export function createCheckouts(db: Db): Checkouts {
  const checkouts = checkoutsOf(db)
  return {
    async add({ id, user_id, created }) {
      const due_at = new Date(created.getTime() + FIRST_LOOK_MS)
      await checkouts.insertOne({ _id: id, user_id, created_at: created, state: 'open', due_at })
    },
    find: async (session_id) => (await checkouts.findOne({ _id: session_id })) ?? undefined,
    ofPayment: async (payment_intent) => (await checkouts.findOne({ payment_intent }))?._id,
    async markCredited({ id, user_id, created, payment_intent }) {
      const payment = payment_intent === undefined ? {} : { payment_intent }
      const credited = { $literal: { user_id, created_at: created, state: 'credited', ...payment } }
      const update = [
        { $replaceWith: { $mergeObjects: ['$$ROOT', credited] } },
        { $set: { ...NOT_DUE, over_at: '$$REMOVE' } },
      ]
      await checkouts.updateOne({ _id: id }, update, { upsert: true })
    },
    async abandon(session_id) {
      await checkouts.updateOne({ _id: session_id, state: 'open' }, [
        { $set: { state: 'over', over_at: '$$NOW', ...NOT_DUE } },
      ])
    },
    takeDue: createDueQueue(checkouts, { leaseMs: UNTIL_NEXT_LOOK_MS }).take,
  }
}

type NewEvent = { id: string; type: string; created: Date; subject: Subject | undefined }

/** The events of Stripe. An event that arrives again is not stored again. */
export type EventStore = {
  /** Stores an event unless it exists, and returns the stored one. The sweep ignores it for `graceMs`. */
  add(event: NewEvent, graceMs: number): Promise<EventDocument>
  /** Records the result of an event. */
  end(id: string, state: 'handled' | 'ignored'): Promise<void>
  /** Leases an event that is due to be handled, until its next try. */
  takeDue: DueQueue<EventDocument>['take']
  /** Leases the next read of events. Undefined when a coordinator read within the minute. */
  takeReading: DueQueue<CursorDocument>['take']
  /** Records that all events up to a time are stored. */
  readUntil(moment: Date): Promise<void>
}

const READ_EVERY_MS = 60_000
/** The first read covers the last day. */
const FIRST_READING_MS = 24 * 3_600_000
const FIRST_RETRY_MS = 30_000
const LONGEST_RETRY_MS = 3_600_000

/** Doubles the delay after every attempt, up to an hour. The exponent is capped so that it can be computed. */
const UNTIL_NEXT_TRY_MS = {
  $min: [LONGEST_RETRY_MS, { $multiply: [FIRST_RETRY_MS, { $pow: [2, { $min: ['$attempts', 20] }] }] }],
}

export function createEventStore(db: Db, now: () => Date = () => new Date()): EventStore {
  const events = eventsOf(db)
  const cursor = cursorOf(db)
  const reading = createDueQueue(cursor, { leaseMs: READ_EVERY_MS })
  return {
    async add({ id, type, created, subject }, graceMs) {
      const received_at = now()
      const event: EventDocument = {
        _id: id,
        type,
        created_at: created,
        received_at,
        state: subject ? 'received' : 'ignored',
        ...(subject && { subject, due_at: new Date(received_at.getTime() + graceMs) }),
        attempts: 0,
      }
      try {
        await events.insertOne(event)
        return event
      } catch (error) {
        const stored = isDuplicateKey(error) && (await events.findOne({ _id: id }))
        if (!stored) throw error
        return stored
      }
    },
    async end(id, state) {
      await events.updateOne({ _id: id }, [{ $set: { state, ...NOT_DUE } }])
    },
    takeDue: createDueQueue(events, { leaseMs: UNTIL_NEXT_TRY_MS, set: { attempts: { $add: ['$attempts', 1] } } }).take,
    async takeReading() {
      const first = new Date(now().getTime() - FIRST_READING_MS)
      await insertOnce(cursor.insertOne({ _id: 'stripe_events', until: first, due_at: new Date(0) }))
      return reading.takeOne('stripe_events')
    },
    async readUntil(moment) {
      await cursor.updateOne({ _id: 'stripe_events' }, { $max: { until: moment } })
    },
  }
}

async function insertOnce(insert: Promise<unknown>): Promise<void> {
  try {
    await insert
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
  }
}
