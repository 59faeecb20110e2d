import type { LedgerEntry, LedgerStore } from '@placefleet/coordinator/billing/ledger/ledger'
import { spendingPeriods } from '@placefleet/coordinator/billing/ledger/store'

/** A ledger store in memory that tells of every entry as it is stored. */
export type MemoryLedger = LedgerStore & { all: LedgerEntry[]; entries(user_id: string): AsyncIterable<LedgerEntry> }

/** Returns the rules of the real collection in a few lines: unique `(user_id, seq)` and unique reference of a user. */
export function memoryLedger(
  onInsert: (entry: LedgerEntry) => void = () => undefined,
  now: () => Date = () => new Date(),
): MemoryLedger {
  const all: LedgerEntry[] = []
  const of = (user_id: string) => all.filter((entry) => entry.user_id === user_id)
  const clashes = (one: LedgerEntry, other: LedgerEntry) =>
    one.seq === other.seq || (one.reference_id === other.reference_id && one.reference_type === other.reference_type)
  return {
    all,
    async *entries(user_id) {
      yield* of(user_id).sort((a, b) => a.seq - b.seq)
    },
    last: async (user_id) => of(user_id).sort((a, b) => b.seq - a.seq)[0],
    about: async (user_id, reference_id) => of(user_id).filter((entry) => entry.reference_id === reference_id),
    async spending(user_id, key_id, at) {
      const { day, month } = spendingPeriods(at)
      const sum = (since: Date) =>
        of(user_id)
          .filter(({ key }) => key?.id === key_id && key.held_at >= since)
          .reduce((total, { held_change, amount }) => total + held_change - amount, 0)
      return { day: sum(day), month: sum(month) }
    },
    now: async () => now(),
    async insert(entry) {
      if (of(entry.user_id).some((other) => clashes(entry, other))) return false
      all.push(entry)
      onInsert(entry)
      return true
    },
  }
}

/** What a failing insert does: the entry is lost before it is written, or written and the answer is lost. */
export type InsertFault = 'none' | 'before' | 'after'

/** The process died, as far as the ledger can tell. */
export class Crash extends Error {}

/** Returns a store whose inserts fail with these faults, one per insert; later ones succeed. */
export function crashing(store: LedgerStore, faults: InsertFault[]): LedgerStore {
  const next = [...faults]
  return {
    ...store,
    async insert(entry) {
      const fault = next.shift() ?? 'none'
      if (fault === 'before') throw new Crash()
      const inserted = await store.insert(entry)
      if (fault === 'after') throw new Crash()
      return inserted
    },
  }
}
