import { type Collection, type Db, Long } from 'mongodb'
import { isDuplicateKey } from '../mongo/failures.ts'
import { AMOUNTS, ledgerEntries, type StoredEntry } from './documents.ts'
import type { LedgerStore } from './ledger.ts'
import type { LedgerEntry, TransactionType } from './ledger-entry.ts'
import type { MicroCredits } from './money.ts'

/** The ledger's collection, with what is read of it beyond appending. */
export type MongoLedgerStore = LedgerStore & {
  /** A page of a user's entries of these types, newest first, and how many there are. */
  history(
    user_id: string,
    page: { types: readonly TransactionType[]; skip: number; limit: number },
  ): Promise<{ entries: LedgerEntry[]; total: number }>
  /** All entries of a user in order. */
  entries(user_id: string): AsyncIterable<LedgerEntry>
  /** Every user with an entry. */
  users(): AsyncIterable<string>
}

/** The ledger in MongoDB. */
export function mongoLedgerStore(db: Db): MongoLedgerStore {
  const ledger = ledgerEntries(db)
  return {
    async last(user_id) {
      const [last] = await ledger.find({ user_id }).sort({ seq: -1 }).limit(1).toArray()
      return last && fromStored(last)
    },
    async about(user_id, reference_id) {
      return (await ledger.find({ user_id, reference_id }).toArray()).map(fromStored)
    },
    insert: (entry) => insert(ledger, entry),
    async history(user_id, { types, skip, limit }) {
      const filter = { user_id, type: { $in: [...types] } }
      const [stored, total] = await Promise.all([
        ledger.find(filter).sort({ seq: -1 }).skip(skip).limit(limit).toArray(),
        ledger.countDocuments(filter),
      ])
      return { entries: stored.map(fromStored), total }
    },
    entries: (user_id) => ledger.find({ user_id }).sort({ seq: 1 }).map(fromStored),
    // Everybody's first entry: the partial index of these is walked, not the ledger.
    users: () =>
      ledger
        .find({ seq: 1 })
        .sort({ user_id: 1 })
        .map((first) => first.user_id),
  }
}

async function insert(ledger: Collection<StoredEntry>, entry: LedgerEntry): Promise<boolean> {
  try {
    await ledger.insertOne(toStored(entry))
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

function toStored(entry: LedgerEntry): StoredEntry {
  const stored: StoredEntry = { ...entry }
  for (const field of AMOUNTS) stored[field] = Long.fromNumber(entry[field])
  return stored
}

function fromStored(stored: StoredEntry): LedgerEntry {
  return {
    ...stored,
    amount: micro(stored.amount),
    held_change: micro(stored.held_change),
    deficit_change: micro(stored.deficit_change),
    purchased_change: micro(stored.purchased_change),
    balance_before: micro(stored.balance_before),
    balance_after: micro(stored.balance_after),
    held_after: micro(stored.held_after),
    deficit_after: micro(stored.deficit_after),
    total_purchased_after: micro(stored.total_purchased_after),
  }
}

// The driver gives 64-bit integers back as numbers when they are exact, as all amounts are.
const micro = (amount: Long | number): MicroCredits => (typeof amount === 'number' ? amount : amount.toNumber())
