import { EMPTY_ACCOUNT, entryFor, type LedgerEntry, stateAfter } from '@placefleet/coordinator/billing/ledger/ledger'
import { byReference, repeatFaults, verifyEntries } from '@placefleet/coordinator/billing/verify/verify-entries'
import { expect, test } from 'vitest'

/** Entries of bonuses, one behind the other, with these reference ids. */
function bonuses(...references: string[]): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (const reference_id of references) {
    const who = { _id: String(entries.length), user_id: 'user', created_at: new Date(0) }
    const before = entries.length === 0 ? EMPTY_ACCOUNT : stateAfter(entries.at(-1))
    const change = { type: 'bonus' as const, amount: 5, description: 'given' }
    entries.push(entryFor(who, { reference_type: 'grant', reference_id }, before, change))
  }
  return entries
}

async function* stored(entries: LedgerEntry[]) {
  yield* entries
}

test('entries of different references that add up have no fault', async () => {
  expect(await verifyEntries(stored(bonuses('a', 'b', 'c')))).toMatchObject({ count: 3, faults: [] })
})

test('a second entry for one reference is a fault', async () => {
  const faults = []
  for await (const group of byReference(stored(bonuses('a', 'a', 'b', 'c', 'c')))) faults.push(...repeatFaults(group))
  expect(faults).toEqual([
    { subject: 'entry 2', message: 'a second entry for grant a' },
    { subject: 'entry 5', message: 'a second entry for grant c' },
  ])
})
