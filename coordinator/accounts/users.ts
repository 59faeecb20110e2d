import { randomUUID } from 'node:crypto'
import type { Db } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { apiKeysOf, sessionsOf, USER_EMAIL_INDEX, type UserDocument, usersOf } from './documents.ts'

/**
 * Makes a user. An email belongs to one user, in whatever case it is written.
 * @throws AppError `conflict` when there is one with this email.
 */
export async function createUser(db: Db, { email }: { email: string }): Promise<UserDocument> {
  const user: UserDocument = { _id: randomUUID(), email: email.toLowerCase(), created_at: new Date(), paid: false }
  try {
    await usersOf(db).insertOne(user)
    return user
  } catch (cause) {
    if (!isDuplicateKey(cause, USER_EMAIL_INDEX)) throw cause
    throw new AppError('conflict', `There is a user with the email ${user.email}.`, { cause })
  }
}

/** A user by id. */
export async function findUser(db: Db, user_id: string): Promise<UserDocument | undefined> {
  return (await usersOf(db).findOne({ _id: user_id })) ?? undefined
}

/** A user by email, in whatever case it is written. */
export async function findUserByEmail(db: Db, email: string): Promise<UserDocument | undefined> {
  return (await usersOf(db).findOne({ email: email.toLowerCase() })) ?? undefined
}

/**
 * Gives a user the limits of paid accounts, from the next request of each of their keys on. Safe to repeat, and to be
 * repeated after a crash half way. Keys and sessions carry a copy of the mark: the user is marked first, and who makes a key
 * looks at the user once more afterwards, so that none slips through in between.
 */
export async function markPaid(db: Db, user_id: string): Promise<void> {
  await usersOf(db).updateOne({ _id: user_id }, { $set: { paid: true } })
  await apiKeysOf(db).updateMany({ user_id, paid: false }, { $set: { paid: true } })
  await sessionsOf(db).updateMany({ user_id, paid: false }, { $set: { paid: true } })
}
