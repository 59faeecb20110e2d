import type { Db } from 'mongodb'
import { removeAll } from './in-batches.ts'
import type { Index } from './indexes.ts'
import { ago } from './time.ts'

/** How often expired documents are removed. Every read checks the expiry as well. */
export const REMOVE_EXPIRED_MS = 3_600_000

/**
 * Removes what the indexes with `expireAfterSeconds` expire. A server with a TTL monitor has removed it already; the
 * embedded engine has none.
 */
export async function removeExpired(db: Db, indexes: readonly Index[], signal?: AbortSignal): Promise<void> {
  for (const { collection, key, expireAfterSeconds } of indexes) {
    const [field] = Object.keys(key)
    if (expireAfterSeconds === undefined || field === undefined) continue
    const documents = db.collection(collection)
    // A missing time is less than any other in an expression.
    const over = {
      [field]: { $type: 'date' },
      $expr: { $lt: [`$${field}`, ago(expireAfterSeconds, 'second')] },
    }
    await removeAll(documents, over, { signal })
  }
}
