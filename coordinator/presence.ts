import { randomUUID } from 'node:crypto'
import type { Collection, Db } from 'mongodb'
import { collection } from './mongo/connect.ts'
import type { Index } from './mongo/indexes.ts'
import { ago } from './mongo/time.ts'

/** A coordinator at work. `_id` is new with every start. */
type CoordinatorDocument = { _id: string; version: string; seen_at: Date }

/** How often a coordinator says that it is at work. */
export const PRESENCE_MS = 5_000

/** A coordinator that was not seen for this long is gone: it may have missed two beats. */
const GONE_SECONDS = 15

const coordinatorsOf = (db: Db): Collection<CoordinatorDocument> => collection(db, 'coordinators')

export const presenceIndexes: readonly Index[] = [
  { collection: 'coordinators', name: 'expiry', key: { seen_at: 1 }, expireAfterSeconds: 86_400 },
]

/** Tells doctor and `ops` that this coordinator is at work. */
export function createPresence(db: Db, version: string) {
  const _id = randomUUID()
  let writable = true
  return {
    async beat(): Promise<void> {
      try {
        await coordinatorsOf(db).updateOne({ _id }, [{ $set: { version, seen_at: '$$NOW' } }], { upsert: true })
        writable = true
      } catch (error) {
        writable = false
        throw error
      }
    },
    /** Whether the last beat was written: a database on a full disk still answers reads. */
    isWritable: (): boolean => writable,
    async leave(): Promise<void> {
      await coordinatorsOf(db).deleteOne({ _id })
    },
  }
}

export type Presence = ReturnType<typeof createPresence>

/** The number of coordinators at work. */
export function countCoordinators(db: Db): Promise<number> {
  return coordinatorsOf(db).countDocuments({ $expr: { $gt: ['$seen_at', ago(GONE_SECONDS, 'second')] } })
}
