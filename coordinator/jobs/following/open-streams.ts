import { canFail, type Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { createOpenLimit } from '../../accounts/limits.ts'
import { AppError } from '../../http/errors.ts'
import { timeOrderedUuid } from '../../mongo/time.ts'

/** The most streams that a user may have open. */
const MAX_OPEN = 10

/** Short, because followers reconnect while the streams of a dead coordinator still count. */
const LEASE_SECONDS = 25
const RENEW_MS = 10_000

/**
 * Counts one more open stream of a user, over all coordinators. Returns a function that ends the count.
 * @throws AppError `rate_limited` when the user has ten open streams.
 */
export async function openStream(db: Db, log: Logger, user_id: string): Promise<() => Promise<void>> {
  const streams = createOpenLimit(db, 'streams', { most: MAX_OPEN, leaseSeconds: LEASE_SECONDS })
  const id = timeOrderedUuid()
  if (!(await streams.lease(user_id, id))) {
    const text = `You already have ${MAX_OPEN} open streams, which is your limit. Close one, or wait until one ends.`
    throw new AppError('rate_limited', text, { headers: { 'retry-after': '15' } })
  }
  let renewal: Promise<unknown> | undefined
  const timer = setInterval(() => {
    // A lease lasts for more than two renewals, so one may fail.
    renewal = canFail(log, 'renewing an open stream', streams.lease(user_id, id))
  }, RENEW_MS)
  return async () => {
    clearInterval(timer)
    await renewal // it would lease again what was released
    // A stream that cannot be released now expires with its lease.
    await canFail(log, 'closing a stream', streams.release(user_id, id))
  }
}
