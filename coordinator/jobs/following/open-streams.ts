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
 * Counts one more of what a user has open, over all coordinators. Returns a function that ends the count.
 * @throws AppError `rate_limited` when the user has the most.
 */
export type OpenOfUsers = (user_id: string) => Promise<() => Promise<void>>

/** Creates the count of the requests of a user that wait for a job: twenty at most. */
export function createOpenWaits(db: Db, log: Logger): OpenOfUsers {
  const waits = createOpenLimit(db, 'waits', { most: MAX_WAITS, leaseSeconds: WAIT_LEASE_SECONDS })
  return async (user_id) => {
    const id = timeOrderedUuid()
    if (!(await waits.lease(user_id, id))) {
      const text = `${MAX_WAITS} of your requests wait for jobs already, which is your limit. Ask without \`wait\`, or when one has ended.`
      throw tooMany(text)
    }
    return async () => void (await canFail(log, 'ending a wait', waits.release(user_id, id)))
  }
}

/** Creates the count of the open streams of a user: ten at most. It renews all of them together while there are some. */
export function createOpenStreams(db: Db, log: Logger): OpenOfUsers {
  const streams = createOpenLimit(db, 'streams', { most: MAX_OPEN, leaseSeconds: LEASE_SECONDS })
  const open = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let renewal: Promise<unknown> | undefined
  const renew = () => {
    // A lease lasts for more than two renewals, so one may fail.
    const renewals = [...open].map(([id, user_id]) => streams.lease(user_id, id))
    renewal = canFail(log, 'renewing open streams', Promise.all(renewals))
  }
  return async (user_id) => {
    const id = timeOrderedUuid()
    if (!(await streams.lease(user_id, id))) {
      const text = `You already have ${MAX_OPEN} open streams, which is your limit. Close one, or wait until one ends.`
      throw tooMany(text)
    }
    open.set(id, user_id)
    timer ??= setInterval(renew, RENEW_MS)
    return async () => {
      open.delete(id)
      if (open.size === 0) {
        clearInterval(timer)
        timer = undefined
      }
      await renewal // it would lease again what was released
      // A stream that cannot be released now expires with its lease.
      await canFail(log, 'closing a stream', streams.release(user_id, id))
    }
  }
}

const tooMany = (text: string) => new AppError('rate_limited', text, { headers: { 'retry-after': '15' } })
