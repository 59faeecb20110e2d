import { literalPattern } from '@placefleet/shared/text'
import type { Db } from 'mongodb'
import { isLimited, type SpendingLimits } from '../http/authentication.ts'
import { AppError, orNotFound } from '../http/errors.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { insertInSlot } from '../mongo/locks.ts'
import { timeOrderedUuid } from '../mongo/time.ts'
import {
  type ApiKeyDocument,
  apiKeysBy,
  apiKeysOf,
  sessionsOf,
  type UserDocument,
  usersBy,
  usersOf,
} from './documents.ts'
import { generateApiKey, hashOf, keyHints } from './key-format.ts'

/** Keys of a user that are not revoked, at most. */
const MAX_ACTIVE_KEYS = 10

/** A new key. Its text is known only now. */
export type NewApiKey = { document: ApiKeyDocument; key: string }

/**
 * How many revoked keys of a user are kept. Older ones are removed, so that keys made and revoked in a loop cannot fill
 * the memory when they are listed.
 */
const KEPT_REVOKED_KEYS = 1_000

type ApiKeyOptions = {
  name: string
  limits?: SpendingLimits
  key?: string
  chosen?: true
  paired?: true
}

/**
 * Creates a user. Emails are unique regardless of case.
 * @throws AppError `conflict` when a user has this email.
 */
export async function createUser(db: Db, { email }: { email: string }): Promise<UserDocument> {
  const user: UserDocument = { _id: timeOrderedUuid(), email: email.toLowerCase(), created_at: new Date(), paid: false }
  try {
    await usersOf(db).insertOne(user)
    return user
  } catch (cause) {
    if (!isDuplicateKey(cause, usersBy.email)) throw cause
    throw new AppError('conflict', `A user with the email ${user.email} exists.`, { cause })
  }
}

export async function findUser(db: Db, user_id: string): Promise<UserDocument | undefined> {
  return (await usersOf(db).findOne({ _id: user_id })) ?? undefined
}

export const findUsers = (db: Db, user_ids: string[]): Promise<UserDocument[]> =>
  usersOf(db)
    .find({ _id: { $in: user_ids } })
    .toArray()

/** Returns whether a user had the demo job, or does not need it. */
export async function hadDemo(db: Db, user_id: string): Promise<boolean> {
  return (await usersOf(db).findOne({ _id: user_id, demo_at: { $exists: true } })) !== null
}

/** Records that a user needs no demo job any more. */
export async function takeDemo(db: Db, user_id: string): Promise<void> {
  const first = { _id: user_id, demo_at: { $exists: false } }
  await usersOf(db).updateOne(first, [{ $set: { demo_at: '$$NOW' } }])
}

/** Returns a user by email, regardless of case. */
export async function findUserByEmail(db: Db, email: string): Promise<UserDocument | undefined> {
  return (await usersOf(db).findOne({ email: email.toLowerCase() })) ?? undefined
}

/**
 * Returns a user by id or email.
 * @throws AppError `not_found`.
 */
export async function findUserByName(db: Db, name: string): Promise<UserDocument> {
  const user = name.includes('@') ? await findUserByEmail(db, name) : await findUser(db, name)
  return orNotFound(user, 'user', name)
}

/** Returns the users whose email contains a text, newest first, and how many there are. */
export async function searchUsers(
  db: Db,
  { search, skip, limit }: { search: string; skip: number; limit: number },
): Promise<{ users: UserDocument[]; total: number }> {
  const filter = search === '' ? {} : { email: { $regex: literalPattern(search.toLowerCase()) } }
  const matches = usersOf(db).find(filter).sort({ created_at: -1, _id: -1 }).skip(skip).limit(limit)
  const [users, total] = await Promise.all([matches.toArray(), usersOf(db).countDocuments(filter)])
  return { users, total }
}

/**
 * Gives a user the limits of a paid account, from the next request of each key. Idempotent, even after a crash in
 * between. Keys and sessions carry a copy of the flag. This function writes the user first, and the creation of a key
 * reads the user again afterwards, so no key misses the flag.
 */
export async function markPaid(db: Db, user_id: string): Promise<void> {
  await usersOf(db).updateOne({ _id: user_id }, { $set: { paid: true } })
  await apiKeysOf(db).updateMany({ user_id, paid: false }, { $set: { paid: true } })
  await sessionsOf(db).updateMany({ user_id, paid: false }, { $set: { paid: true } })
}

/**
 * Creates an API key for a user.
 * @throws AppError `not_found` when the user does not exist, `conflict` when 10 keys are active.
 */
export async function createApiKey(
  db: Db,
  user_id: string,
  { name, limits, key = generateApiKey(), chosen, paired }: ApiKeyOptions,
): Promise<NewApiKey> {
  const user = orNotFound(await findUser(db, user_id), 'user')
  const document: ApiKeyDocument = {
    _id: timeOrderedUuid(),
    user_id,
    name,
    hash: hashOf(key),
    ...keyHints(key),
    created_at: new Date(),
    paid: user.paid,
    usage_count: 0,
    ...(limits && isLimited(limits) ? { limits } : {}),
    ...(chosen ? { chosen } : {}),
    ...(paired ? { paired } : {}),
  }
  const inserted = await insertInSlot({
    limit: MAX_ACTIVE_KEYS,
    index: apiKeysBy.user_slot,
    taken: () => apiKeysOf(db).distinct('slot', { user_id, slot: { $exists: true } }),
    insert: (slot) => apiKeysOf(db).insertOne({ ...document, slot }),
  })
  if (!inserted) throw new AppError('conflict', `${MAX_ACTIVE_KEYS} API keys are active. Revoke one first.`)
  if (!user.paid && (await findUser(db, user_id))?.paid) await markPaid(db, user_id)
  return { document, key }
}

/** Replaces the spending limits of a key. Returns false when it is unknown or revoked. */
export async function setKeyLimits(db: Db, user_id: string, key_id: string, limits: SpendingLimits): Promise<boolean> {
  const active = { _id: key_id, user_id, revoked_at: { $exists: false } }
  return (await apiKeysOf(db).updateOne(active, { $set: { limits } })).matchedCount === 1
}

export async function findApiKey(db: Db, key_id: string): Promise<ApiKeyDocument | undefined> {
  return (await apiKeysOf(db).findOne({ _id: key_id })) ?? undefined
}

/** Returns the keys of a user, oldest first, including the latest revoked ones. */
export async function listApiKeys(db: Db, user_id: string): Promise<ApiKeyDocument[]> {
  return apiKeysOf(db).find({ user_id }).sort({ created_at: 1, _id: 1 }).toArray()
}

/**
 * Revokes a key. Every replica rejects the next request with it. Returns false when it is unknown or already revoked.
 * @param used the ids of keys whose limits still apply to monitors. They are kept when they are revoked.
 */
export async function revokeApiKey(db: Db, user_id: string, key_id: string, used: readonly string[]): Promise<boolean> {
  const change = { $set: { revoked_at: new Date() }, $unset: { slot: true as const } }
  const { matchedCount } = await apiKeysOf(db).updateOne(
    { _id: key_id, user_id, revoked_at: { $exists: false } },
    change,
  )
  if (matchedCount === 1) await removeOldRevokedKeys(db, user_id, used)
  return matchedCount === 1
}

async function removeOldRevokedKeys(db: Db, user_id: string, used: readonly string[]): Promise<void> {
  const ordinary = { _id: { $nin: [...used] }, chosen: { $exists: false } }
  const old = await apiKeysOf(db)
    .find({ user_id, revoked_at: { $exists: true }, ...ordinary }, { projection: { _id: 1 } })
    .sort({ revoked_at: -1 })
    .skip(KEPT_REVOKED_KEYS)
    .toArray()
  if (old.length > 0) await apiKeysOf(db).deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })
}
