import type { Db } from 'mongodb'
import { type Account, isLimited } from '../http/authentication.ts'
import { AppError, orNotFound } from '../http/errors.ts'
import { fromNow } from '../mongo/time.ts'
import { type Role, type UserDocument, usersOf } from './documents.ts'
import { endSessionsOf } from './sessions.ts'
import { findUser } from './store.ts'

export const roleOf = ({ role = 'user', role_until }: UserDocument, now = new Date()): Role =>
  role_until === undefined || role_until > now ? role : 'user'

/**
 * Returns whether a request has the rights of an operator. The role is read at each request, so a change takes effect
 * at once. An API key with a spending limit never has them: it could raise its limit. Nor has one that a program got by
 * a pairing code: whoever talks an operator into approving a code would get the whole deployment.
 */
export async function isOperator(db: Db, { user_id, limits, paired }: Account): Promise<boolean> {
  if (isLimited(limits) || paired) return false
  const user = await findUser(db, user_id)
  return user !== undefined && roleOf(user) === 'operator'
}

/**
 * Changes the role of a user. Ends all their sessions before, so that a stolen session never gets the new rights. Returns
 * false when the user had the role already.
 * @param days after which the role lapses. Undefined: it does not.
 * @throws AppError `not_found` when the user does not exist.
 */
export async function setRole(db: Db, user_id: string, role: Role, days?: number): Promise<boolean> {
  const user = orNotFound(await findUser(db, user_id), 'user')
  const isNew = roleOf(user) !== role
  if (isNew) await endSessionsOf(db, user_id)
  else if (days === undefined && user.role_until === undefined) return false
  const role_until = days === undefined ? '$$REMOVE' : fromNow(24 * days, 'hour')
  await usersOf(db).updateOne({ _id: user_id }, [{ $set: { role, role_until } }])
  return isNew
}

/**
 * Sets the role of a user, but leaves an operator. Two operators who demote each other at once may both be refused.
 * @throws AppError `not_found`, or `conflict` when no operator would be left.
 */
export async function setRoleAmongOperators(db: Db, user_id: string, role: Role): Promise<void> {
  if (role !== 'operator' && (await operatorsOf(db)).every(({ _id }) => _id === user_id)) throw lastOperator()
  await setRole(db, user_id, role)
  if ((await operatorsOf(db)).length > 0) return
  await setRole(db, user_id, 'operator')
  throw lastOperator()
}

const lastOperator = () => new AppError('conflict', 'This is the last operator. Make another user an operator first.')

/** Makes a user an operator, unless their role was set before. */
export async function makeFirstOperator(db: Db, user_id: string): Promise<void> {
  await usersOf(db).updateOne({ _id: user_id, role: { $exists: false } }, { $set: { role: 'operator' } })
}

/** The operators that a list shows, at most. */
const MOST_SHOWN = 20

/** Returns the operators, oldest first. */
export const operatorsOf = (db: Db): Promise<UserDocument[]> =>
  usersOf(db)
    .find({ role: 'operator', $or: [{ role_until: { $exists: false } }, { $expr: { $gt: ['$role_until', '$$NOW'] } }] })
    .sort({ _id: 1 })
    .limit(MOST_SHOWN)
    .toArray()
