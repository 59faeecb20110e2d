import type { Db } from 'mongodb'
import { type RatePolicy, rateLimited, read, takeExpression } from '../http/rate-limit.ts'
import { UNJOURNALED } from '../mongo/connect.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { userBucketsOf } from './documents.ts'

/** A limit of a user over all keys and sessions, in addition to the limit of each. */
export type UserLimit = {
  /**
   * Takes one token of a user.
   * @throws AppError `rate_limited` with the headers of this limit when none is left.
   */
  take(user_id: string): Promise<void>
}

/**
 * Creates the limit `name`, counted in the database over all replicas. The error text says what is limited (`what`).
 */
export function createUserLimit(db: Db, name: string, policy: RatePolicy, what = 'such requests'): UserLimit {
  const buckets = userBucketsOf(db)
  const use = [{ $set: { bucket: takeExpression('$bucket', policy) } }]
  const options = { upsert: true, returnDocument: 'after', writeConcern: UNJOURNALED } as const
  const once = (_id: string) => buckets.findOneAndUpdate({ _id }, use, options)
  return {
    async take(user_id) {
      const _id = `${name}:${user_id}`
      // Two concurrent first uses may both try to insert. The loser updates the winner's document the second time.
      const document = await once(_id).catch((error) => (isDuplicateKey(error) ? once(_id) : Promise.reject(error)))
      if (document?.bucket.granted === 0) throw rateLimited(read(document.bucket, policy), what)
    },
  }
}
