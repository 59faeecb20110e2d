import { randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import { orNotFound } from '../http/errors.ts'
import { ago, fromNow, timeOrderedUuid } from '../mongo/time.ts'
import { type SessionDocument, sessionsOf, usersOf } from './documents.ts'
import { hashOf } from './key-format.ts'
import { findUser, markPaid } from './store.ts'

/** A session ends when it is not used for this long. */
const IDLE_HOURS = 12

/** A session ends this long after sign-in, even when it is in use. */
const SESSION_HOURS = 7 * 24

/** Matches sessions that have not ended, by the clock of the database. */
export const LIVE_SESSION = {
  $expr: {
    $and: [{ $gt: ['$expires_at', '$$NOW'] }, { $gt: ['$last_used_at', ago(IDLE_HOURS, 'hour')] }],
  },
}

export type SignIn = Pick<SessionDocument, 'signed_in_by' | 'user_agent' | 'provider'>

/** A new session. The value of its cookie is known only now. */
export type NewSession = { secret: string; expires_at: Date }

/**
 * Creates a session of a user.
 * @throws AppError `not_found` when the user does not exist.
 */
export async function createSession(
  db: Db,
  user_id: string,
  signIn: SignIn = { signed_in_by: 'link' },
): Promise<NewSession> {
  const user = orNotFound(await findUser(db, user_id), 'user')
  const secret = randomBytes(32).toString('base64url')
  const session = { user_id, hash: hashOf(secret), paid: user.paid, ...signIn }
  const times = { created_at: '$$NOW', last_used_at: '$$NOW', expires_at: fromNow(SESSION_HOURS, 'hour') }
  const made = await sessionsOf(db).findOneAndUpdate(
    { _id: timeOrderedUuid() },
    [{ $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: session }, times] } }],
    { upsert: true, returnDocument: 'after' },
  )
  if (!made) throw new Error('a session was not stored')
  if (!user.paid && (await findUser(db, user_id))?.paid) await markPaid(db, user_id)
  return { secret, expires_at: made.expires_at }
}

export async function findSession(db: Db, session_id: string): Promise<SessionDocument | undefined> {
  return (await sessionsOf(db).findOne({ _id: session_id })) ?? undefined
}

/** Returns the current sessions of a user, the last used first. */
export function listSessions(db: Db, user_id: string): Promise<SessionDocument[]> {
  return sessionsOf(db)
    .find({ user_id, ...LIVE_SESSION })
    .sort({ last_used_at: -1, _id: 1 })
    .toArray()
}

/** Returns when a session ends if it is not used again. */
export const endOf = ({ expires_at, last_used_at }: SessionDocument): Date =>
  new Date(Math.min(expires_at.getTime(), last_used_at.getTime() + IDLE_HOURS * 3_600_000))

/** Ends the session of a cookie at once, on every replica. Ending an ended session changes nothing. */
export async function endSession(db: Db, secret: string): Promise<void> {
  await sessionsOf(db).deleteOne({ hash: hashOf(secret) })
}

/** Ends one session of a user and returns it; undefined when they have no such session. */
export async function endSessionOf(db: Db, user_id: string, session_id: string): Promise<SessionDocument | undefined> {
  return (await sessionsOf(db).findOneAndDelete({ _id: session_id, user_id })) ?? undefined
}

/** Ends all sessions of a user, or all but one. Returns their number. */
export async function endSessionsOf(db: Db, user_id: string, except?: string): Promise<number> {
  const others = except === undefined ? {} : { _id: { $ne: except } }
  return (await sessionsOf(db).deleteMany({ user_id, ...others })).deletedCount
}

/** The sessions that an identity provider ends: those of one provider session, or all of a user. */
type ProviderLogout = { issuer: string; sid?: string | undefined; subject?: string | undefined }

/**
 * Ends the sessions that came from an identity provider. Returns their number. A session of the user with an unknown
 * `sid` ends too, because it may be the right one.
 */
export async function endProviderSessions(db: Db, { issuer, sid, subject }: ProviderLogout): Promise<number> {
  const ofProvider = { provider: { $exists: true }, 'provider.issuer': issuer }
  const filters = [
    ...(sid === undefined ? [] : [{ ...ofProvider, 'provider.sid': sid }]),
    ...(subject === undefined ? [] : [{ ...ofProvider, 'provider.subject': subject, ...unlessKnown(sid) }]),
  ]
  return filters.length === 0 ? 0 : (await sessionsOf(db).deleteMany({ $or: filters })).deletedCount
}

const unlessKnown = (sid: string | undefined) => (sid === undefined ? {} : { 'provider.sid': { $exists: false } })

/**
 * Unlinks a user from their identity provider and ends their sessions. The next sign-in there links them again. Returns
 * false when they were not linked; their sessions end also then, because a crash may have come before.
 */
export async function unlinkIdentity(db: Db, user_id: string): Promise<boolean> {
  const { matchedCount } = await usersOf(db).updateOne(
    { _id: user_id, identity: { $exists: true } },
    { $unset: { identity: true } },
  )
  await endSessionsOf(db, user_id)
  return matchedCount === 1
}
