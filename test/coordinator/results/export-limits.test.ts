import { checkRows } from '@placefleet/coordinator/results/export-limits'
import { expect, test } from 'vitest'

test.each([
  { places: 150_000, reviews: 0, images: 0, isTaken: true },
  { places: 1, reviews: 149_999, images: 0, isTaken: true },
  { places: 1, reviews: 1, images: 149_998, isTaken: true },
  { places: 1, reviews: 1, images: 149_999, isTaken: false },
  { places: 150_001, reviews: 0, images: 0, isTaken: false },
])('a workbook may have rows for $places places, $reviews reviews and $images images: $isTaken', async (row) => {
  const { isTaken, ...totals } = row
  expect(
    await checkRows([{ totals }]).then(
      () => true,
      () => false,
    ),
  ).toBe(isTaken)
})
