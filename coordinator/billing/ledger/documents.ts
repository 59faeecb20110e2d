import type { Collection, Db, Long } from 'mongodb'
import { indexesOf } from '../../mongo/indexes.ts'
import type { LedgerEntry } from './ledger.ts'

export const AMOUNTS = [
  'amount',
  'held_change',
  'deficit_change',
  'purchased_change',
  'balance_before',
  'balance_after',
  'held_after',
  'deficit_after',
  'total_purchased_after',
] as const satisfies (keyof LedgerEntry)[]

type Amounts = (typeof AMOUNTS)[number]

/** An entry as stored. Amounts are 64-bit integers; the driver would write doubles from 2,147 credits on. */
export type StoredEntry = Omit<LedgerEntry, Amounts> & Record<Amounts, Long | number>

/** Returns the append-only ledger. */
export const ledgerEntries = (db: Db): Collection<StoredEntry> => db.collection('ledger')

export const ledgerBy = indexesOf('ledger', {
  /** A user's entries in order. It is the lock of their ledger. */
  chain: { key: { user_id: 1, seq: 1 }, unique: true },
  /** Makes appends idempotent. */
  reference: { key: { user_id: 1, reference_id: 1, reference_type: 1 }, unique: true },
  /** A user's entries by type. */
  history: { key: { user_id: 1, type: 1, seq: -1 } },
  /** A user's charges by time. It has all fields that the sums need. */
  daily_spending: {
    key: { user_id: 1, type: 1, created_at: 1, amount: 1 },
    partialFilterExpression: { type: 'consumption' },
  },
  users: { key: { user_id: 1 }, partialFilterExpression: { seq: 1 } },
  /** The entries of jobs by API key. */
  key_spending: {
    key: { user_id: 1, 'key.id': 1, 'key.held_at': 1 },
    partialFilterExpression: { 'key.id': { $exists: true } },
  },
})

export const ledgerIndexes = Object.values(ledgerBy)
