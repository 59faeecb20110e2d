import { monotonicNow } from '@placefleet/shared/timing'
import type { Collection, Db } from 'mongodb'
import { recordedPublicUrl } from '../auth/links.ts'
import { answersInTime, collection } from '../mongo/connect.ts'
import type { Index } from '../mongo/indexes.ts'
import { ago, timeOrderedUuid } from '../mongo/time.ts'

/** Where people open a coordinator: its PUBLIC_URL, or the address that it listens on. */
type CoordinatorAddress = { url: string; is_public_url: boolean }

/** A running coordinator. `_id` is new with every start. It has an address once it listens. */
type CoordinatorDocument = { _id: string; version: string; seen_at: Date } & Partial<CoordinatorAddress>

/** How often a coordinator records its heartbeat. */
export const PRESENCE_MS = 5_000

/** After this time without a heartbeat a coordinator counts as stopped. Two heartbeats may be lost. */
const GONE_SECONDS = 15

const coordinatorsOf = (db: Db): Collection<CoordinatorDocument> => collection(db, 'coordinators')

export const presenceIndexes: readonly Index[] = [
  { collection: 'coordinators', name: 'expiry', key: { seen_at: 1 }, expireAfterSeconds: 86_400 },
]

/** A heartbeat of this age still tells whether the database accepts writes. So health checks cost one write a second. */
const FRESH_MS = 1_000

/** Records that this coordinator runs, for doctor and `ops`. */
export function createPresence(db: Db, version: string, now: () => number = monotonicNow) {
  const _id = timeOrderedUuid()
  let last: { at: number; written: boolean } | undefined
  let address: Partial<CoordinatorAddress> = {}
  const beat = async (): Promise<void> => {
    const record = { version, ...address }
    let written = false
    try {
      await coordinatorsOf(db).updateOne({ _id }, [{ $set: { ...record, seen_at: '$$NOW' } }], { upsert: true })
      written = true
    } finally {
      last = { at: now(), written }
    }
  }
  const isWritten = answersInTime(beat)
  return {
    beat,
    /** Records the address from now on. */
    listensAt(where: CoordinatorAddress): Promise<void> {
      address = where
      return beat()
    },
    /** Whether a heartbeat can be written, or was within the last second. A database on a full disk still answers reads. */
    acceptsWrites: async (): Promise<boolean> => (last && now() - last.at < FRESH_MS ? last.written : isWritten()),
    async leave(): Promise<void> {
      await coordinatorsOf(db).deleteOne({ _id })
    },
  }
}

const RUNNING = { $expr: { $gt: ['$seen_at', ago(GONE_SECONDS, 'second')] } }

export function countCoordinators(db: Db): Promise<number> {
  return coordinatorsOf(db).countDocuments(RUNNING)
}

/**
 * Returns where people open the console: at a running coordinator, of several the one that started last. A PUBLIC_URL
 * comes first, because other addresses may be reachable from their own host only. Without a running coordinator it is
 * where the last one was; undefined before the first start.
 */
export async function consoleUrl(db: Db): Promise<string | undefined> {
  const listening = { ...RUNNING, url: { $exists: true } }
  const running = await coordinatorsOf(db).findOne(listening, { sort: { is_public_url: -1, _id: -1 } })
  return running?.url ?? (await recordedPublicUrl(db))
}
