import type { Collection, Db } from 'mongodb'
import { collection } from './mongo/connect.ts'
import type { Index } from './mongo/indexes.ts'
import { ago, timeOrderedUuid } from './mongo/time.ts'

/** A running coordinator. `_id` is new with every start. */
type CoordinatorDocument = { _id: string; version: string; seen_at: Date }

/** How often a coordinator records its heartbeat. */
export const PRESENCE_MS = 5_000

/** After this time without a heartbeat a coordinator counts as stopped. Two heartbeats may be lost. */
const GONE_SECONDS = 15

const coordinatorsOf = (db: Db): Collection<CoordinatorDocument> => collection(db, 'coordinators')

export const presenceIndexes: readonly Index[] = [
  { collection: 'coordinators', name: 'expiry', key: { seen_at: 1 }, expireAfterSeconds: 86_400 },
]

/** Records that this coordinator runs, for doctor and `ops`. */
export function createPresence(db: Db, version: string) {
  const _id = timeOrderedUuid()
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
    /** Whether the last heartbeat was written. A database on a full disk still answers reads. */
    isWritable: (): boolean => writable,
    async leave(): Promise<void> {
      await coordinatorsOf(db).deleteOne({ _id })
    },
  }
}

export type Presence = ReturnType<typeof createPresence>

/** Counts the running coordinators. */
export function countCoordinators(db: Db): Promise<number> {
  return coordinatorsOf(db).countDocuments({ $expr: { $gt: ['$seen_at', ago(GONE_SECONDS, 'second')] } })
}
