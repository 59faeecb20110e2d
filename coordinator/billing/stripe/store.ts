import type { Db } from 'mongodb'
import { isDuplicateKey } from '../../mongo/failures.ts'
import {
  type CheckoutDocument,
  checkoutsOf,
  cursorOf,
  type EventDocument,
  eventsOf,
  type Subject,
} from './documents.ts'
import type { CheckoutSession } from './objects.ts'

/** The known checkout sessions. */
export type Checkouts = {
  /** Stores an opened session. */
  add(session: { id: string; user_id: string; created: Date }): Promise<void>
  find(session_id: string): Promise<CheckoutDocument | undefined>
  /** Returns the session of a payment, if it was settled here. */
  ofPayment(payment_intent: string): Promise<string | undefined>
  /** Marks a session as credited, and stores it if it is unknown. */
  settle(session: CheckoutSession): Promise<void>
  /** Marks an open session as ended without a payment. */
  abandon(session_id: string): Promise<void>
  /** Claims an open session that is due for a check; undefined when none is due. */
  claimDue(): Promise<string | undefined>
}

const FIRST_LOOK_MS = 60_000
const LONGEST_WAIT_MS = 6 * 3_600_000

/**
 * The next check of an open session is half its age away: minutes while it is likely to be paid, hours for a payment
 * that takes days.
 */
const NEXT_LOOK = {
  $add: [
    '$$NOW',
    {
      $min: [LONGEST_WAIT_MS, { $max: [FIRST_LOOK_MS, { $divide: [{ $subtract: ['$$NOW', '$created_at'] }, 2] }] }],
    },
  ],
}

/** Creates the store of checkout sessions. */
export function createCheckouts(db: Db): Checkouts {
  const checkouts = checkoutsOf(db)
  return {
    async add({ id, user_id, created }) {
      const due_at = new Date(created.getTime() + FIRST_LOOK_MS)
      await checkouts.insertOne({ _id: id, user_id, created_at: created, state: 'open', due_at })
    },
    find: async (session_id) => (await checkouts.findOne({ _id: session_id })) ?? undefined,
    ofPayment: async (payment_intent) => (await checkouts.findOne({ payment_intent }))?._id,
    async settle({ id, user_id, created, payment_intent }) {
      const payment = payment_intent === undefined ? {} : { payment_intent }
      const settled = { user_id, created_at: created, state: 'settled' as const, ...payment }
      await checkouts.updateOne({ _id: id }, { $set: settled, $unset: { due_at: '' } }, { upsert: true })
    },
    async abandon(session_id) {
      await checkouts.updateOne({ _id: session_id, state: 'open' }, { $set: { state: 'over' }, $unset: { due_at: '' } })
    },
    async claimDue() {
      const due = { state: 'open' as const, $expr: { $lte: ['$due_at', '$$NOW'] } }
      const claimed = await checkouts.findOneAndUpdate(due, [{ $set: { due_at: NEXT_LOOK } }], { sort: { due_at: 1 } })
      return claimed?._id
    },
  }
}

export type NewEvent = { id: string; type: string; created: Date; subject: Subject | undefined }

/** The events of Stripe. An event that arrives again is not stored again. */
export type EventStore = {
  /** Stores an event unless it exists, and returns the stored one. The sweep ignores it for `graceMs`. */
  add(event: NewEvent, graceMs: number): Promise<EventDocument>
  /** Records the result of an event. */
  end(id: string, state: 'handled' | 'ignored'): Promise<void>
  /** Claims an event that is due to be handled; undefined when none is due. */
  claimDue(): Promise<EventDocument | undefined>
  /**
   * Claims the next read of events, and returns the time to read from; undefined when a coordinator read within the
   * minute.
   */
  claimReading(): Promise<Date | undefined>
  /** Records that all events up to a time are stored. */
  readUntil(moment: Date): Promise<void>
}

const READ_EVERY_MS = 60_000
/** The first read covers the last day. */
const FIRST_READING_MS = 24 * 3_600_000
const FIRST_RETRY_MS = 30_000
const LONGEST_RETRY_MS = 3_600_000

/** Doubles the delay after every attempt, up to an hour. The exponent is capped so that it can be computed. */
const NEXT_TRY = {
  $add: [
    '$$NOW',
    { $min: [LONGEST_RETRY_MS, { $multiply: [FIRST_RETRY_MS, { $pow: [2, { $min: ['$attempts', 20] }] }] }] },
  ],
}

/** Creates the store of events. */
export function createEventStore(db: Db, now: () => Date = () => new Date()): EventStore {
  const events = eventsOf(db)
  const cursor = cursorOf(db)
  return {
    async add({ id, type, created, subject }, graceMs) {
      const received_at = now()
      const event: EventDocument = {
        _id: id,
        type,
        created_at: created,
        received_at,
        state: subject ? 'received' : 'ignored',
        ...(subject ? { subject } : {}),
        attempts: 0,
        due_at: new Date(received_at.getTime() + graceMs),
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
      await events.updateOne({ _id: id }, { $set: { state } })
    },
    async claimDue() {
      const due = { state: 'received' as const, $expr: { $lte: ['$due_at', '$$NOW'] } }
      const next = { $set: { attempts: { $add: ['$attempts', 1] }, due_at: NEXT_TRY } }
      return (await events.findOneAndUpdate(due, [next], { sort: { due_at: 1 } })) ?? undefined
    },
    async claimReading() {
      const first = new Date(now().getTime() - FIRST_READING_MS)
      await insertOnce(cursor.insertOne({ _id: 'events', until: first, due_at: new Date(0) }))
      const due = { _id: 'events' as const, $expr: { $lte: ['$due_at', '$$NOW'] } }
      const next = { $set: { due_at: { $add: ['$$NOW', READ_EVERY_MS] } } }
      return (await cursor.findOneAndUpdate(due, [next]))?.until
    },
    async readUntil(moment) {
      await cursor.updateOne({ _id: 'events' }, { $max: { until: moment } })
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
