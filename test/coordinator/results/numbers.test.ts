import { timeOrderedNumbers } from '@placefleet/coordinator/results/append'
import { expect, test } from 'vitest'

test('numbers of a clock before 2026 are refused, because every job would begin with the same one', () => {
  expect(() => timeOrderedNumbers(0, 1, Date.UTC(2025, 11, 31))).toThrow(/clock of this machine shows 2025-12-31/)
  expect(timeOrderedNumbers(0, 1, Date.UTC(2026, 0))).toBeGreaterThan(0)
})

test('numbers rise with time, and above the last one', () => {
  const now = Date.UTC(2026, 5)
  const first = timeOrderedNumbers(0, 10, now)
  expect(timeOrderedNumbers(first + 9, 10, now)).toBeGreaterThan(first + 9)
  expect(timeOrderedNumbers(0, 10, now + 2)).toBeGreaterThan(first)
})
