import { canFail, type Logger } from '@placefleet/shared/log'
import type { Collection, Db } from 'mongodb'
import { AppError } from '../../http/errors.ts'
import { collection } from '../../mongo/connect.ts'
import { indexesOf } from '../../mongo/indexes.ts'
import { insertInSlot } from '../../mongo/locks.ts'
import { fromNow, timeOrderedUuid } from '../../mongo/time.ts'

/** An open stream of a user, on any coordinator. It expires when its coordinator dies. */
type OpenStreamDocument = { _id: string; user_id: string; slot: number; expires_at: Date }

/** The most streams that a user may have open. */
const MAX_OPEN = 10

/** Short, because followers reconnect while the streams of a dead coordinator still count. */
const LEASE_SECONDS = 25
const RENEW_MS = 10_000

const openStreamsBy = indexesOf('open_streams', {
  user_slot: { key: { user_id: 1, slot: 1 }, unique: true },
  expiry: { key: { expires_at: 1 }, expireAfterSeconds: 0 },
})

export const openStreamIndexes = Object.values(openStreamsBy)

const openStreamsOf = (db: Db): Collection<OpenStreamDocument> => collection(db, 'open_streams')

/**
 * Counts one more open stream of a user, over all coordinators. Returns a function that ends the count. @throws
 * AppError `rate_limited` when the user has ten open streams.
 */
export async function openStream(db: Db, log: Logger, user_id: string): Promise<() => Promise<void>> {
  const streams = openStreamsOf(db)
  const _id = timeOrderedUuid()
  await streams.deleteMany({ user_id, $expr: { $lt: ['$expires_at', '$$NOW'] } })
  const isOpen = await insertInSlot({
    limit: MAX_OPEN,
    index: openStreamsBy.user_slot,
    taken: () => streams.distinct('slot', { user_id }),
    insert: (slot) => insertOnce(streams, { _id, user_id, slot }),
  })
  if (!isOpen) {
    const text = `You already have ${MAX_OPEN} open streams, which is your limit. Close one, or wait until one ends.`
    throw new AppError('rate_limited', text, { headers: { 'retry-after': '15' } })
  }
  const renew = () => streams.updateOne({ _id }, [{ $set: { expires_at: fromNow(LEASE_SECONDS, 'second') } }])
  // A lease lasts for more than two renewals, so one may fail.
  const timer = setInterval(() => void canFail(log, 'renewing an open stream', renew()), RENEW_MS)
  return async () => {
    clearInterval(timer)
    // A stream that cannot be deleted now expires with its lease.
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
