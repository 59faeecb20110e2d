import type { Db } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { apiKeysBy, apiKeysOf } from './documents.ts'
import { hashOf, isChosenKey } from './key-format.ts'
import { makeFirstOperator } from './roles.ts'
import { createApiKey, createUser, findUserByEmail } from './store.ts'

type BootstrapOptions = {
  email: string
  /** The key from BOOTSTRAP_API_KEY. Without it, the user gets none. */
  apiKey?: string | undefined
  /** Grants the first credits. Must be safe to repeat. */
  grantCredits?: (user_id: string) => Promise<void>
}

/**
 * Creates the first user, an operator, with their chosen API key. Safe to repeat, also by several coordinators at once.
 * A revoked key is not created again. Generates no key: nothing but a log could show it.
 * @throws AppError when the chosen key is malformed or belongs to another user.
 */
export async function bootstrap(
  db: Db,
  { email, apiKey, grantCredits }: BootstrapOptions,
): Promise<{ user_id: string }> {
  if (apiKey !== undefined && !isChosenKey(apiKey)) {
    throw new AppError('bad_request', 'BOOTSTRAP_API_KEY must be svc_ and 8 to 196 letters, digits, - or _.')
  }
  const user_id = await ensureUser(db, email)
  await makeFirstOperator(db, user_id)
  await grantCredits?.(user_id)
  if (apiKey !== undefined) await ensureKey(db, user_id, apiKey)
  return { user_id }
}

async function ensureUser(db: Db, email: string): Promise<string> {
  const known = await findUserByEmail(db, email)
  if (known) return known._id
  try {
    return (await createUser(db, { email }))._id
  } catch (error) {
    const madeByAnother = error instanceof AppError && error.code === 'conflict' && (await findUserByEmail(db, email))
    if (!madeByAnother) throw error
    return madeByAnother._id
  }
}

async function ensureKey(db: Db, user_id: string, key: string): Promise<void> {
  const owner = async () => (await apiKeysOf(db).findOne({ hash: hashOf(key) }))?.user_id
  if ((await owner()) === undefined) {
    try {
      await createApiKey(db, user_id, { name: 'first key', key, chosen: true })
    } catch (error) {
      if (!isDuplicateKey(error, apiKeysBy.hash)) throw error
    }
  }
  if ((await owner()) !== user_id) throw new AppError('conflict', 'BOOTSTRAP_API_KEY belongs to another user.')
}
