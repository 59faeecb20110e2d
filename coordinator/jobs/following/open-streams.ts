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

/** The most requests of a user that may wait for a job. */
const MAX_WAITS = 20

/** Longer than the longest wait, so no lease is renewed. */
const WAIT_LEASE_SECONDS = 75

/**
 * Counts one more request of a user that waits, over all coordinators. Returns a function that ends the count.
 * @throws AppError `rate_limited` when twenty of them wait.
 */
export async function openWait(db: Db, log: Logger, user_id: string): Promise<() => Promise<void>> {
  const waits = createOpenLimit(db, 'waits', { most: MAX_WAITS, leaseSeconds: WAIT_LEASE_SECONDS })
  const id = timeOrderedUuid()
  if (!(await waits.lease(user_id, id))) {
    const text = `${MAX_WAITS} of your requests wait for jobs already, which is your limit. Ask without \`wait\`, or when one has ended.`
    throw new AppError('rate_limited', text, { headers: { 'retry-after': '15' } })
  }
  return async () => void (await canFail(log, 'ending a wait', waits.release(user_id, id)))
}

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
