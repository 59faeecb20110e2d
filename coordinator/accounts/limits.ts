import type { Collection, Db, Document } from 'mongodb'
import { type RatePolicy, rateLimited, read, type Taken, takeExpression } from '../http/rate-limit.ts'
import { batched } from '../mongo/batched.ts'
import { collection, UNJOURNALED } from '../mongo/connect.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { indexesOf } from '../mongo/indexes.ts'
import { fromNow } from '../mongo/time.ts'

/** A limit that all coordinators count together. `_id` names the limit and whom it limits. */
type LimitDocument = { _id: string; bucket?: Taken; window?: Window; leases?: Lease[]; expires_at: Date }

/** The current hour of a limit: when it began, how many it granted, and how many of those asked for last. */
type Window = { started_at: Date; count: number; granted: number }

/** What is open, until its lease ends. */
type Lease = { id: string; expires_at: Date }

const limitsOf = (db: Db): Collection<LimitDocument> => collection(db, 'limits')

/** A full bucket, a window that is over and leases that have expired need no document. */
const limitsBy = indexesOf('limits', { expiry: { key: { expires_at: 1 }, expireAfterSeconds: 0 } })

export const limitIndexes = Object.values(limitsBy)

/** Changes the document of a limit, or creates it. */
export async function changeLimit(db: Db, _id: string, update: Document[]): Promise<LimitDocument> {
  const options = { upsert: true, returnDocument: 'after', writeConcern: UNJOURNALED } as const
  const once = () => limitsOf(db).findOneAndUpdate({ _id }, update, options)
  // Two concurrent first uses may both try to insert. The loser updates the winner's document the second time.
  const changed = await once().catch((error) => (isDuplicateKey(error) ? once() : Promise.reject(error)))
  if (!changed) throw new Error(`the limit ${_id} was not stored`)
  return changed
}

/** A limit of a user over all keys and sessions, in addition to the limit of each. */
export type UserLimit = {
  /**
   * Takes one token of a user.
   * @throws AppError `rate_limited` with the headers of this limit when none is left.
   */
  take(user_id: string): Promise<void>
}

/** Creates the limit `name`. The error message names what is limited (`what`). */
export function createUserLimit(db: Db, name: string, policy: RatePolicy, what = 'such requests'): UserLimit {
  const expires_at = fromNow(Math.ceil(policy.burst / policy.rate), 'second')
  const use = [{ $set: { bucket: takeExpression('$bucket', policy), expires_at } }]
  return {
    async take(user_id) {
      const { bucket } = await changeLimit(db, `${name}:${user_id}`, use)
      if (bucket?.granted === 0) throw rateLimited(read(bucket, policy), what)
    },
  }
}

/** A limit of what a user may have open at the same time, on any coordinator. */
type OpenLimit = {
  /** Opens one more, or renews its lease. Returns false when the user has the most. */
  lease(user_id: string, id: string): Promise<boolean>
  release(user_id: string, id: string): Promise<unknown>
}

/**
 * Creates the limit `name`. What nobody renews for `leaseSeconds` counts no more: its coordinator has died. What one user
 * opens, renews or closes at the same time is written at once.
 */
export function createOpenLimit(
  db: Db,
  name: string,
  { most, leaseSeconds }: { most: number; leaseSeconds: number },
): OpenLimit {
  const expires_at = fromNow(leaseSeconds, 'second')
  const live = (more: Document[] = []) => ({
    $filter: {
      input: { $ifNull: ['$leases', []] },
      cond: { $and: [{ $gt: ['$$this.expires_at', '$$NOW'] }, ...more] },
    },
  })
  return {
    lease: batched(async (user_id, ids: readonly string[]) => {
      const renewed = { $cond: [{ $in: ['$$this.id', ids] }, { id: '$$this.id', expires_at }, '$$this'] }
      const fresh = { $filter: { input: ids, cond: { $not: { $in: ['$$this', '$leases.id'] } } } }
      const opened = { $map: { input: fresh, in: { id: '$$this', expires_at } } }
      const all = { $concatArrays: [{ $map: { input: '$leases', in: renewed } }, opened] }
      const use = [{ $set: { leases: live(), expires_at } }, { $set: { leases: { $slice: [all, most] } } }]
      const { leases = [] } = await changeLimit(db, `${name}:${user_id}`, use)
      return (nth) => leases.some(({ id }) => id === ids[nth])
    }),
    release: batched(async (user_id, ids: readonly string[]) => {
      await limitsOf(db).updateOne({ _id: `${name}:${user_id}` }, [
        { $set: { leases: live([{ $not: { $in: ['$$this.id', ids] } }]) } },
      ])
      return () => undefined
    }),
  }
}
