import { randomUUID } from 'node:crypto'
import { canFail, type Logger } from '@placefleet/shared/log'
import type { Collection, Db } from 'mongodb'
import { AppError } from '../../http/errors.ts'
import { collection } from '../../mongo/connect.ts'
import type { Index } from '../../mongo/indexes.ts'
import { insertInSlot } from '../../mongo/locks.ts'
import { fromNow } from '../../mongo/time.ts'

/** A stream that a user has open at some coordinator. One whose coordinator died is over at its time. */
type OpenStreamDocument = { _id: string; user_id: string; slot: number; expires_at: Date }

/** How many jobs a user may follow at once (DECISIONS, "Following"). */
const MAX_OPEN = 10

const LEASE_SECONDS = 45
const RENEW_MS = 15_000

const SLOT_KEY = { user_id: 1, slot: 1 } as const

export const openStreamIndexes: readonly Index[] = [
  { collection: 'open_streams', name: 'user_slot', key: SLOT_KEY, unique: true },
]

const openStreamsOf = (db: Db): Collection<OpenStreamDocument> => collection(db, 'open_streams')

/**
 * Counts one more open stream of a user, over all coordinators, until the function that it returns is called.
 * @throws AppError `rate_limited` when the user has ten open.
 */
export async function openStream(db: Db, log: Logger, user_id: string): Promise<() => Promise<void>> {
  const streams = openStreamsOf(db)
  const _id = randomUUID()
  await streams.deleteMany({ user_id, $expr: { $lt: ['$expires_at', '$$NOW'] } })
  const isOpen = await insertInSlot({
    limit: MAX_OPEN,
    key: SLOT_KEY,
    taken: () => streams.distinct('slot', { user_id }),
    insert: (slot) => insertOnce(streams, { _id, user_id, slot }),
  })
  if (!isOpen) {
    const text = `At most ${MAX_OPEN} streams of a user can be open. Close one, or wait until one ends.`
    throw new AppError('rate_limited', text, { headers: { 'retry-after': '15' } })
  }
  const renew = () => streams.updateOne({ _id }, [{ $set: { expires_at: fromNow(LEASE_SECONDS, 'second') } }])
  // A renewal that fails is made up for by the next: a lease lasts for three of them.
  const timer = setInterval(() => void canFail(log, 'renewing an open stream', renew()), RENEW_MS)
  return async () => {
    clearInterval(timer)
    // What cannot be deleted now is over when its lease is.
    await canFail(log, 'closing a stream', streams.deleteOne({ _id }))
  }
}

async function insertOnce(
  streams: Collection<OpenStreamDocument>,
  { _id, user_id, slot }: Omit<OpenStreamDocument, 'expires_at'>,
): Promise<void> {
  const made = [{ $set: { user_id, slot, expires_at: fromNow(LEASE_SECONDS, 'second') } }]
  await streams.updateOne({ _id }, made, { upsert: true })
}
