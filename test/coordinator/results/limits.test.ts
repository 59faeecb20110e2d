import { AppError } from '@placefleet/coordinator/http/errors'
import { timeOrderedNumbers } from '@placefleet/coordinator/results/append'
import { checkBytes, checkRows } from '@placefleet/coordinator/results/export-limits'
import { createPageSize } from '@placefleet/coordinator/results/readable'
import { expect, test } from 'vitest'

const MIB = 1_024 * 1_024

const passes = (check: Promise<unknown>): Promise<boolean> =>
  check.then(
    () => true,
    () => false,
  )

test.each([
  { places: 150_000, reviews: 0, images: 0, isTaken: true },
  { places: 1, reviews: 149_999, images: 0, isTaken: true },
  { places: 1, reviews: 1, images: 149_998, isTaken: true },
  { places: 1, reviews: 1, images: 149_999, isTaken: false },
  { places: 150_001, reviews: 0, images: 0, isTaken: false },
])('a workbook may have rows for $places places, $reviews reviews and $images images: $isTaken', async (row) => {
  const { isTaken, ...totals } = row
  expect(await passes(checkRows([{ totals }]))).toBe(isTaken)
})

test.each([
  [[64 * MIB], true],
  [[64 * MIB + 1], false],
  [[32 * MIB, 32 * MIB], true],
  [[32 * MIB, 32 * MIB, 1], false],
])('a workbook of places of $0 bytes is written: $1', async (sizes, isWritten) => {
  expect(await passes(checkBytes(sizes))).toBe(isWritten)
})

test('the size of a workbook is read no further than its limit', async () => {
  let read = 0
  const sizes = function* () {
    for (;;) yield 32 * MIB + 0 * ++read
  }
  await expect(checkBytes(sizes())).rejects.toThrow('64 MiB')
  expect(read).toBe(3)
})

test('a page of places has 64 MiB at most, and the refusal says what to do', () => {
  const count = createPageSize()
  for (const _ of Array.from({ length: 64 })) count(MIB)

  expect(() => count(0)).not.toThrow()
  expect(() => count(1)).toThrow(AppError)
  expect(() => count(1)).toThrow('larger than 64 MiB. Choose a smaller limit')
})

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
