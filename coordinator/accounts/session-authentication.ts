import type { Db } from 'mongodb'
import type { Authenticated } from '../http/account.ts'
import { type RatePolicy, read } from '../http/rate-limit/bucket.ts'
import { takeExpression } from '../http/rate-limit/bucket-expression.ts'
import { UNJOURNALED } from '../mongo/connect.ts'
import { sessionsOf } from './documents.ts'
import { hashOf } from './key-format.ts'
import { LIVE_SESSION } from './sessions.ts'

/**
 * Authenticates session cookies. One write finds the session, takes from its token bucket and puts off its idle end.
 * Nothing is cached, so every replica rejects the next request of a session that was ended.
 */
export function createSessionAuthenticator(db: Db, policy: RatePolicy) {
  const use = [{ $set: { bucket: takeExpression('$bucket', policy), last_used_at: '$$NOW' } }]
  return async (secret: string): Promise<Authenticated | undefined> => {
    const session = await sessionsOf(db).findOneAndUpdate({ hash: hashOf(secret), ...LIVE_SESSION }, use, {
      returnDocument: 'after',
      projection: { user_id: 1, paid: 1, bucket: 1 },
      writeConcern: UNJOURNALED,
    })
    if (!session?.bucket) return undefined
    const { _id: session_id, user_id, paid, bucket } = session
    const account = { user_id, session_id, source: 'web', paid } as const
    return { account, granted: bucket.granted === 1, reading: read(bucket, policy) }
  }
}
