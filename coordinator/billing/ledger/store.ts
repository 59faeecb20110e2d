import { type Collection, type Db, Long } from 'mongodb'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { using } from '../../mongo/indexes.ts'
import { tailRead } from '../../mongo/locks.ts'
import { databaseTime } from '../../mongo/time.ts'
import type { MicroCredits } from '../prices/cost.ts'
import { AMOUNTS, ledgerBy, ledgerEntries, type StoredEntry } from './documents.ts'
import { type KeySpending, type LedgerEntry, type LedgerStore, NOTHING_SPENT, type TransactionType } from './ledger.ts'

/** The ledger in MongoDB: appends, and the reads for history and verification. */
export type MongoLedgerStore = LedgerStore & {
  /** Returns a page of a user's entries of these types, newest first, and their total number. */
  history(
    user_id: string,
    page: { types: readonly TransactionType[]; skip: number; limit: number },
  ): Promise<{ entries: LedgerEntry[]; total: number }>
  /** Returns the daily charges of a user since a UTC day (as in 2026-03-01). Omits days without a charge. */
  chargedByDay(user_id: string, first: string): Promise<Map<string, MicroCredits>>
  entries(user_id: string): AsyncIterable<LedgerEntry>
  /** Returns all entries of a user in the order of their reference ids. */
  entriesByReference(user_id: string): AsyncIterable<LedgerEntry>
  entriesAbout(user_id: string, reference_ids: string[]): Promise<LedgerEntry[]>
  /** Returns every user with an entry. */
  users(): AsyncIterable<string>
}

export function mongoLedgerStore(db: Db): MongoLedgerStore {
  const ledger = ledgerEntries(db)
  return {
    async last(user_id) {
      const [last] = await ledger.find({ user_id }, tailRead(db)).sort({ seq: -1 }).limit(1).toArray()
      return last && fromStored(last)
    },
    async about(user_id, reference_id) {
      return (await ledger.find({ user_id, reference_id }, tailRead(db)).toArray()).map(fromStored)
    },
    spending: (user_id, key_id, at) => spending(ledger, user_id, key_id, at),
    now: () => databaseTime(db),
    insert: (entry) => insert(ledger, entry),
    async history(user_id, { types, skip, limit }) {
      const filter = { user_id, type: { $in: [...types] } }
      const [stored, total] = await Promise.all([
        ledger.find(filter, using(ledgerBy.history)).sort({ seq: -1 }).skip(skip).limit(limit).toArray(),
        ledger.countDocuments(filter, using(ledgerBy.history)),
      ])
      return { entries: stored.map(fromStored), total }
    },
    chargedByDay: (user_id, first) => chargedByDay(ledger, user_id, first),
    entries: (user_id) => ledger.find({ user_id }, using(ledgerBy.chain)).sort({ seq: 1 }).map(fromStored),
    entriesByReference: (user_id) =>
      ledger.find({ user_id }, using(ledgerBy.reference)).sort({ reference_id: 1, reference_type: 1 }).map(fromStored),
    entriesAbout: (user_id, reference_ids) =>
      ledger
        .find({ user_id, reference_id: { $in: reference_ids } }, using(ledgerBy.reference))
        .map(fromStored)
        .toArray(),
    // Reads the first entry of each user by a partial index, not the whole ledger.
    users: () =>
      ledger
        .find({ seq: 1 })
        .sort({ user_id: 1 })
        .map((first) => first.user_id),
  }
}

/** Returns the beginning of the UTC day and of the UTC month of a time. */
export function spendingPeriods(at: Date): { day: Date; month: Date } {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return { day: new Date(Date.UTC(year, month, at.getUTCDate())), month: new Date(Date.UTC(year, month, 1)) }
}

/** Sums what is held and charged for the jobs of a key, by the time of their hold. */
async function spending(
  ledger: Collection<StoredEntry>,
  user_id: string,
  key_id: string,
  at: Date,
): Promise<KeySpending> {
  const { day, month } = spendingPeriods(at)
  const cost = { $subtract: ['$held_change', '$amount'] }
  const ofDay = { $cond: [{ $gte: ['$key.held_at', day] }, cost, 0] }
  const stages = [
    { $match: { user_id, 'key.id': key_id, 'key.held_at': { $gte: month } } },
    { $group: { _id: null, day: { $sum: ofDay }, month: { $sum: cost } } },
  ]
  type Sums = Record<keyof KeySpending, Long | number>
  const [sums] = await ledger.aggregate<Sums>(stages, using(ledgerBy.key_spending)).toArray()
  return sums ? { day: micro(sums.day), month: micro(sums.month) } : NOTHING_SPENT
}

/** Sums the charges of a user by UTC day. Reads only the index, from the first day on. */
async function chargedByDay(
  ledger: Collection<StoredEntry>,
  user_id: string,
  first: string,
): Promise<Map<string, MicroCredits>> {
  const stages = [
    { $match: { user_id, type: 'consumption', created_at: { $gte: new Date(first) } } },
    { $group: { _id: { $dateToString: { date: '$created_at', format: '%Y-%m-%d' } }, amount: { $sum: '$amount' } } },
  ]
  const days = ledger.aggregate<{ _id: string; amount: Long | number }>(stages, using(ledgerBy.daily_spending))
  return new Map((await days.toArray()).map(({ _id, amount }) => [_id, 0 - micro(amount)]))
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

// The driver returns 64-bit integers as numbers when they are exact, as all amounts are.
const micro = (amount: Long | number): MicroCredits => (typeof amount === 'number' ? amount : amount.toNumber())
