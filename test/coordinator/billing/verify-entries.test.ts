import {
  EMPTY_ACCOUNT,
  entryFor,
  faultOf,
  type LedgerEntry,
  stateAfter,
} from '@placefleet/coordinator/billing/ledger/ledger'
import { byReference, repeatFaults } from '@placefleet/coordinator/billing/verify/verify-entries'
import { expect, test } from 'vitest'

/** Entries of bonuses, one behind the other, with these reference ids. */
async function* bonuses(...references: string[]) {
  let last: LedgerEntry | undefined
  for (const reference_id of references) {
    const who = { _id: reference_id, user_id: 'user', created_at: new Date(0) }
    const change = { type: 'bonus' as const, amount: 5, description: 'given' }
    last = entryFor(who, { reference_type: 'grant', reference_id }, stateAfter(last), change)
    yield last
  }
}

test('a second entry for one reference is a fault', async () => {
  const faults = []
  for await (const group of byReference(bonuses('a', 'a', 'b', 'c', 'c'))) faults.push(...repeatFaults(group))
  expect(faults).toEqual([
    { subject: 'entry 2', message: 'a second entry for grant a' },
    { subject: 'entry 5', message: 'a second entry for grant c' },
  ])
})

test.each([
  [{ balance: 10, held: 10 }, undefined],
  [{ balance: 10, held: 11 }, 'more is held than the balance'],
  [{ balance: -1 }, 'a sum is below zero'],
  [{ deficit: -1 }, 'a sum is below zero'],
  [{ balance: 0.5 }, 'a sum is not a whole number of micro-credits'],
  [{ balance: Number.MAX_SAFE_INTEGER + 1 }, 'a sum is not a whole number of micro-credits'],
])('an account with %j has the fault: %s', (sums, fault) => {
  expect(faultOf({ ...EMPTY_ACCOUNT, ...sums })).toBe(fault)
})
