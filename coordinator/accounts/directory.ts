import type { Db } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { type ApiKeyDocument, apiKeysOf, type UserDocument, usersOf } from './documents.ts'
import { findUser, findUserByEmail } from './users.ts'

/** The latest users, newest first. */
export function listUsers(db: Db, limit: number): Promise<UserDocument[]> {
  return usersOf(db).find().sort({ created_at: -1, _id: -1 }).limit(limit).toArray()
}

/**
 * The user of that id or email.
 * @throws AppError `not_found`.
 */
export async function userNamed(db: Db, name: string): Promise<UserDocument> {
  const user = name.includes('@') ? await findUserByEmail(db, name) : await findUser(db, name)
  if (!user) throw new AppError('not_found', `There is no user ${name}.`)
  return user
}

/** An API key by id, whoever has it. */
export async function findApiKey(db: Db, key_id: string): Promise<ApiKeyDocument | undefined> {
  return (await apiKeysOf(db).findOne({ _id: key_id })) ?? undefined
}
