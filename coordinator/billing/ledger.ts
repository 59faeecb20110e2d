import { randomUUID } from 'node:crypto'
import { AppError } from '../http/errors.ts'
import { createSerial } from '../mongo/serial.ts'
import {
  type AccountState,
  type Change,
  entryFor,
  type LedgerEntry,
  type Reference,
  stateAfter,
} from './ledger-entry.ts'

/** The store of the entries. */
export type LedgerStore = {
  /** Returns the entry of a user with the highest `seq`. */
  last(user_id: string): Promise<LedgerEntry | undefined>
  /** Returns all entries of a user with this reference id, e.g. the hold and the charges of a job. */
  about(user_id: string, reference_id: string): Promise<LedgerEntry[]>
  /** Stores an entry. Returns false, and stores nothing, when the user has an entry with this `seq` or reference. */
  insert(entry: LedgerEntry): Promise<boolean>
}

/**
 * Decides on the change, given the account and the entries with the same `reference_id`. Returns undefined to record
 * nothing. It may be called again with a newer state, so it must have no side effects. What it throws ends the append.
 */
export type Decide = (state: AccountState, about: LedgerEntry[]) => Change | undefined

/** The append-only ledger: the only source of a balance. */
export type Ledger = {
  /** Returns the current account. */
  state(user_id: string): Promise<AccountState>
  /** Returns all entries of a user with this reference id. */
  about(user_id: string, reference_id: string): Promise<LedgerEntry[]>
  /**
   * Records a change once per reference. When an entry exists for it, returns that entry without deciding again. After
   * an error with unknown outcome, such as a lost connection, call it again.
   * @throws whatever `decide` throws.
   */
  append(user_id: string, reference: Reference, decide: Decide): Promise<LedgerEntry | undefined>
}

/**
 * Attempts at the next `seq`. An attempt fails only because another replica's entry came first, so this many are never
 * needed.
 */
const MAX_ATTEMPTS = 1_000

/**
 * Creates a ledger over a store. The unique `(user_id, seq)` is the lock between processes. Within a process the
 * entries of one user queue up, because retrying rivals slow each other down (INVARIANTS §2: 390 per second with 64 of
 * them).
 */
export function createLedger(store: LedgerStore, now: () => Date = () => new Date()): Ledger {
  const inTurn = createSerial()
  const attempt = async (user_id: string, reference: Reference, decide: Decide) => {
    const state = stateAfter(await store.last(user_id))
    const about = await store.about(user_id, reference.reference_id)
    const existing = about.find((entry) => entry.reference_type === reference.reference_type)
    if (existing) return { done: true, entry: existing }
    // The entries are read after the state. A newer entry among them comes from a rival; deciding on both together
    // would be wrong.
    if (about.some((entry) => entry.seq > state.seq)) return { done: false, entry: undefined }
    const change = decide(state, about)
    if (!change) return { done: true, entry: undefined }
    const entry = entryFor({ _id: randomUUID(), user_id, created_at: now() }, reference, state, change)
    return { done: await store.insert(entry), entry }
  }
  const append = async (user_id: string, reference: Reference, decide: Decide) => {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      const { done, entry } = await attempt(user_id, reference, decide)
      if (done) return entry
    }
    throw new AppError('unavailable', 'The account is busy. Try again.', { headers: { 'retry-after': '1' } })
  }
  return {
    state: async (user_id) => stateAfter(await store.last(user_id)),
    about: store.about,
    append: (user_id, reference, decide) => inTurn(user_id, () => append(user_id, reference, decide)),
  }
}
