import { randomUUID } from 'node:crypto'
import type { Db } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { insertInSlot } from '../mongo/slots.ts'
import { type ApiKeyDocument, apiKeysOf, KEY_SLOT_INDEX } from './documents.ts'
import { generateApiKey, hashOf, keyHints } from './key-format.ts'
import { findUser, markPaid } from './users.ts'

/** SPEC, "Other limits". */
const MAX_ACTIVE_KEYS = 10

/** A key just made: the only time its text is known. */
export type NewApiKey = { document: ApiKeyDocument; key: string }

export type KeyChoice = { name: string; key?: string; bootstrap?: true }

/**
 * Makes an API key of a user.
 * @throws AppError `not_found` without such a user, `conflict` when 10 are active.
 */
export async function createApiKey(
  db: Db,
  user_id: string,
  { name, key = generateApiKey(), bootstrap }: KeyChoice,
): Promise<NewApiKey> {
  const user = await findUser(db, user_id)
  if (!user) throw new AppError('not_found', 'There is no such user.')
  const document: ApiKeyDocument = {
    _id: randomUUID(),
    user_id,
    name,
    hash: hashOf(key),
    ...keyHints(key),
    created_at: new Date(),
    paid: user.paid,
    usage_count: 0,
    ...(bootstrap ? { bootstrap } : {}),
  }
  const inserted = await insertInSlot({
    limit: MAX_ACTIVE_KEYS,
    indexName: KEY_SLOT_INDEX,
    taken: () => apiKeysOf(db).distinct('slot', { user_id, slot: { $exists: true } }),
    insert: (slot) => apiKeysOf(db).insertOne({ ...document, slot }),
  })
  if (!inserted) throw new AppError('conflict', `${MAX_ACTIVE_KEYS} API keys are active. Revoke one first.`)
  if (!user.paid && (await findUser(db, user_id))?.paid) await markPaid(db, user_id)
  return { document, key }
}

/** All keys of a user, oldest first, revoked ones too. */
export async function listApiKeys(db: Db, user_id: string): Promise<ApiKeyDocument[]> {
  return apiKeysOf(db).find({ user_id }).sort({ created_at: 1, _id: 1 }).toArray()
}

/** Revokes a key: the next request with it is refused, by whichever replica. Returns false when it is unknown or revoked. */
export async function revokeApiKey(db: Db, user_id: string, key_id: string): Promise<boolean> {
  const change = { $set: { revoked_at: new Date() }, $unset: { slot: true as const } }
  const { matchedCount } = await apiKeysOf(db).updateOne(
    { _id: key_id, user_id, revoked_at: { $exists: false } },
    change,
  )
  return matchedCount === 1
}
