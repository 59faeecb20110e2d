import type { Collection, Db, Long } from 'mongodb'
import type { Index } from '../../mongo/indexes.ts'
import type { UnitPrices } from '../prices/cost.ts'
import type { LedgerEntry } from './ledger.ts'

/** The amounts of an entry. */
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

/** Prices that apply from a time until the next rule. Rules never change. */
export type PriceRule = { _id: string; from: Date; prices: UnitPrices; created_at: Date }

/** Returns the append-only ledger. */
export const ledgerEntries = (db: Db): Collection<StoredEntry> => db.collection('ledger')

/** Returns the prices over time. */
export const priceRules = (db: Db): Collection<PriceRule> => db.collection('price_rules')

/** The unique index of a user's entries in order. */
export const CHAIN_INDEX = 'chain'

/** The unique index of a user's entries by reference. */
export const REFERENCE_INDEX = 'reference'

/** The index of the entries of jobs by API key. */
export const KEY_SPENDING_INDEX = 'key_spending'

/** The index of a user's entries by type. */
export const HISTORY_INDEX = 'history'

/** The index of a user's charges by time. */
export const DAILY_SPENDING_INDEX = 'daily_spending'

/**
 * The unique indexes enforce rules: `chain` is the lock of a user's ledger, `reference` makes appends idempotent, and
 * two price rules must not begin at the same time.
 */
export const billingIndexes: Index[] = [
  { collection: 'ledger', name: CHAIN_INDEX, key: { user_id: 1, seq: 1 }, unique: true },
  {
    collection: 'ledger',
    name: REFERENCE_INDEX,
    key: { user_id: 1, reference_id: 1, reference_type: 1 },
    unique: true,
  },
  { collection: 'ledger', name: HISTORY_INDEX, key: { user_id: 1, type: 1, seq: -1 }, hinted: true },
  {
    collection: 'ledger',
    name: DAILY_SPENDING_INDEX,
    key: { user_id: 1, type: 1, created_at: 1, amount: 1 }, // all fields that the sums need
    partialFilterExpression: { type: 'consumption' },
    hinted: true,
  },
  { collection: 'ledger', name: 'users', key: { user_id: 1 }, partialFilterExpression: { seq: 1 } },
  {
    collection: 'ledger',
    name: KEY_SPENDING_INDEX,
    key: { user_id: 1, 'key.id': 1, 'key.held_at': 1 },
    partialFilterExpression: { 'key.id': { $exists: true } },
    hinted: true,
  },
  { collection: 'price_rules', name: 'from', key: { from: 1 }, unique: true },
]
