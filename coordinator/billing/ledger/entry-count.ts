import { LRUCache } from 'lru-cache'
import type { Collection } from 'mongodb'
import { using } from '../../mongo/indexes.ts'
import { ledgerBy, type StoredEntry } from './documents.ts'
import type { TransactionType } from './ledger.ts'

/** How many counts are kept. One that is not kept reads an index entry of each ledger entry. */
const MAX_KEPT = 5_000

/** How long a count is kept. A database that crashes may lose an entry that was read before it was durable. */
const KEPT_MS = 3_600_000

/** The number of ledger entries up to the last one that was counted. */
type Counted = { entries: number; last: number }

/**
 * Returns a function that counts a user's entries of some types. The count is exact. Entries are only ever appended, so
 * it reads those alone that were appended since the last count.
 */
export function createEntryCount(
  ledger: Collection<StoredEntry>,
): (user_id: string, types: readonly TransactionType[]) => Promise<number> {
  const kept = new LRUCache<string, Counted>({ max: MAX_KEPT, ttl: KEPT_MS })
  return async (user_id, types) => {
    const key = [user_id, ...types].join(' ')
    const { entries, last } = kept.get(key) ?? { entries: 0, last: 0 }
    const added = { user_id, type: { $in: [...types] }, seq: { $gt: last } }
    const stages = [{ $match: added }, { $group: { _id: null, entries: { $sum: 1 }, last: { $max: '$seq' } } }]
    const [since] = await ledger.aggregate<Counted>(stages, using(ledgerBy.history)).toArray()
    if (!since) return entries
    const now = { entries: entries + since.entries, last: since.last }
    kept.set(key, now)
    return now.entries
  }
}
