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

/** Where the entries are kept. */
export type LedgerStore = {
  /** The entry of a user with the highest `seq`. */
  last(user_id: string): Promise<LedgerEntry | undefined>
  /** All entries of a user about one thing, e.g. the hold and the charges of a job. */
  about(user_id: string, reference_id: string): Promise<LedgerEntry[]>
  /** Stores an entry. False when the user has one of this `seq` or of this reference: then nothing was stored. */
  insert(entry: LedgerEntry): Promise<boolean>
}

/**
 * Decides on the change, knowing the account and what was recorded about the same `reference_id`. Undefined: nothing is
 * to be recorded. It may be asked again with a newer state, so it must not do anything else; what it throws ends the
 * append.
 */
export type Decide = (state: AccountState, about: LedgerEntry[]) => Change | undefined

/** The append-only ledger: the only place where a balance comes from. */
export type Ledger = {
  /** The account as it is now. */
  state(user_id: string): Promise<AccountState>
  /** All entries of a user about one thing. */
  about(user_id: string, reference_id: string): Promise<LedgerEntry[]>
  /**
   * Records a change once per reference: when there is an entry for it, that one is returned and nothing is decided.
   * After a failure of unknown outcome (a lost connection) call it again.
   * @throws whatever `decide` throws.
   */
  append(user_id: string, reference: Reference, decide: Decide): Promise<LedgerEntry | undefined>
}

/** Attempts at the next `seq`; each that fails means that another replica's entry got in, so this many are never lost. */
const MAX_ATTEMPTS = 1_000

/**
 * A ledger over a store. The unique `(user_id, seq)` is the lock between processes; within this process the entries of
 * one user queue up, since rivals that only retry slow each other down (INVARIANTS §2: 390 a second at 64 of them).
 */
export function createLedger(store: LedgerStore, now: () => Date = () => new Date()): Ledger {
  const inTurn = createSerial()
  const attempt = async (user_id: string, reference: Reference, decide: Decide) => {
    const state = stateAfter(await store.last(user_id))
    const about = await store.about(user_id, reference.reference_id)
    const existing = about.find((entry) => entry.reference_type === reference.reference_type)
    if (existing) return { done: true, entry: existing }
    // Read after the state, so a newer entry among them is a rival's: deciding on the two together would be wrong.
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
    throw new AppError('unavailable', 'Your account is busy; try again.', { headers: { 'retry-after': '1' } })
  }
  return {
    state: async (user_id) => stateAfter(await store.last(user_id)),
    about: store.about,
    append: (user_id, reference, decide) => inTurn(user_id, () => append(user_id, reference, decide)),
  }
}
