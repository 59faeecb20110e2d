import { randomBytes, randomUUID } from 'node:crypto'
import type { Db } from 'mongodb'
import type { Authenticated } from '../http/account.ts'
import { AppError } from '../http/errors.ts'
import { type RatePolicy, read } from '../http/rate-limit/bucket.ts'
import { takeExpression } from '../http/rate-limit/bucket-expression.ts'
import { UNJOURNALED } from '../mongo/connect.ts'
import { type SessionDocument, sessionsOf } from './documents.ts'
import { hashOf } from './key-format.ts'
import { findUser, markPaid } from './store.ts'

/** A session ends this long after sign-in, used or not. */
const SESSION_HOURS = 7 * 24

/**
 * Starts a session of a user and returns the value of its cookie, which is not stored.
 * @throws AppError `not_found` when the user does not exist.
 */
export async function createSession(db: Db, user_id: string): Promise<{ secret: string; expires_at: Date }> {
  const user = await findUser(db, user_id)
  if (!user) throw new AppError('not_found', 'The user does not exist.')
  const secret = randomBytes(32).toString('base64url')
  const created_at = new Date()
  const expires_at = new Date(created_at.getTime() + SESSION_HOURS * 3_600_000)
  const session = { _id: randomUUID(), user_id, hash: hashOf(secret), created_at, expires_at, paid: user.paid }
  await sessionsOf(db).insertOne(session satisfies SessionDocument)
  if (!user.paid && (await findUser(db, user_id))?.paid) await markPaid(db, user_id)
  return { secret, expires_at }
}

/** Ends a session at once, on every replica. Ending an ended session changes nothing. */
export async function endSession(db: Db, secret: string): Promise<void> {
  await sessionsOf(db).deleteOne({ hash: hashOf(secret) })
}

/** Authenticates session cookies, as `createKeyAuthenticator` does API keys. */
export function createSessionAuthenticator(db: Db, policy: RatePolicy) {
  const use = [{ $set: { bucket: takeExpression('$bucket', policy) } }]
  return async (secret: string): Promise<Authenticated | undefined> => {
    const live = { hash: hashOf(secret), $expr: { $gt: ['$expires_at', '$$NOW'] } }
    const options = { returnDocument: 'after', writeConcern: UNJOURNALED } as const
    const session = await sessionsOf(db).findOneAndUpdate(live, use, options)
    if (!session?.bucket) return undefined
    const { user_id, paid, bucket } = session
    return { account: { user_id, source: 'web', paid }, granted: bucket.granted === 1, reading: read(bucket, policy) }
  }
}
