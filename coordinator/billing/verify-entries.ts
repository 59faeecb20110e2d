import { isAboutJob } from './holds.ts'
import { type AccountState, changed, EMPTY_ACCOUNT, faultOf, type LedgerEntry, stateAfter } from './ledger-entry.ts'
import { typeFault } from './verify-types.ts'

/** Something that should not be: about an entry, a job or an account. */
export type Fault = { subject: string; message: string }

/** What a walk over a user's entries found, with the entries about jobs, by job. */
export type EntriesFound = { count: number; faults: Fault[]; jobs: Map<string, LedgerEntry[]> }

/**
 * Recomputes an account from its entries, first to last, and compares every recorded state with it. After a fault it
 * goes on from what is recorded, so that one fault is not reported for every later entry.
 */
export async function verifyEntries(entries: AsyncIterable<LedgerEntry>): Promise<EntriesFound> {
  const found: EntriesFound = { count: 0, faults: [], jobs: new Map() }
  const references = new Set<string>()
  let before = EMPTY_ACCOUNT
  for await (const entry of entries) {
    found.count++
    const reference = `${entry.reference_type} ${entry.reference_id}`
    const repeated = references.has(reference) ? [`a second entry for ${reference}`] : []
    const messages = [...entryFaults(entry, before), ...repeated]
    found.faults.push(...messages.map((message) => ({ subject: `entry ${entry.seq}`, message })))
    references.add(reference)
    before = stateAfter(entry)
    if (isAboutJob(entry)) found.jobs.set(entry.reference_id, [...(found.jobs.get(entry.reference_id) ?? []), entry])
  }
  return found
}

function entryFaults(entry: LedgerEntry, before: AccountState): string[] {
  const expected = changed(before, entry)
  const recorded = stateAfter(entry)
  const sums = ['seq', 'balance', 'held', 'deficit', 'total_purchased'] as const
  const wrong = sums
    .filter((sum) => recorded[sum] !== expected[sum])
    .map((sum) => `${sum} is ${recorded[sum]}; with this entry it comes to ${expected[sum]}`)
  const wrongBefore =
    entry.balance_before === before.balance
      ? []
      : [`balance_before is ${entry.balance_before}; it was ${before.balance}`]
  const fault = faultOf(recorded)
  const ofType = typeFault(entry)
  return [...wrong, ...wrongBefore, ...(fault ? [fault] : []), ...(ofType ? [ofType] : [])]
}
