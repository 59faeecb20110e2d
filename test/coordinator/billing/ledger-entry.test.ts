import { EMPTY_ACCOUNT, faultOf } from '@placefleet/coordinator/billing/ledger/ledger'
import { expect, test } from 'vitest'

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
