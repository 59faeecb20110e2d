import type { Db } from 'mongodb'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { cursorOf, type EventDocument, eventsOf, type Subject } from './documents.ts'

export type NewEvent = { id: string; type: string; created: Date; subject: Subject | undefined }

/** The events of Stripe, each stored once however often it comes. */
export type EventStore = {
  /**
   * Stores an event unless it is there, and gives it as it is stored. The sweeper leaves it alone for `graceMs`.
   */
  add(event: NewEvent, graceMs: number): Promise<EventDocument>
  /** Notes what became of an event. */
  end(id: string, state: 'handled' | 'ignored'): Promise<void>
  /** Takes an event that is still to be handled, so that no other coordinator does; undefined: there is none. */
  claimDue(): Promise<EventDocument | undefined>
  /** From when on events are to be read from Stripe; undefined: a coordinator did so within the minute. */
  claimReading(): Promise<Date | undefined>
  /** Notes that all events up to a moment are stored. */
  readUntil(moment: Date): Promise<void>
}

const READ_EVERY_MS = 60_000
/** Before it ever read events, a deployment may have missed those of its last day. */
const FIRST_READING_MS = 24 * 3_600_000
const FIRST_RETRY_MS = 30_000
const LONGEST_RETRY_MS = 3_600_000

/** Twice as long after every attempt, up to an hour. The exponent is kept small enough to be computed. */
const NEXT_TRY = {
  $add: [
    '$$NOW',
    { $min: [LONGEST_RETRY_MS, { $multiply: [FIRST_RETRY_MS, { $pow: [2, { $min: ['$attempts', 20] }] }] }] },
  ],
}

/** The events in the database. */
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
