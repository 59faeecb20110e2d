import { retryDelayMs } from '@placefleet/coordinator/webhooks/deliveries/deliver'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const WINDOWS: [attempt: number, least: number, most: number][] = [
  [1, 1_000, 3_000],
  [2, 2_000, 6_000],
  [3, 4_000, 12_000],
  [4, 8_000, 24_000],
]

test.each(WINDOWS)('after attempt %i the wait is from %i to %i ms, in 10,000 draws', (attempt, least, most) => {
  const waits = Array.from({ length: 10_000 }, () => retryDelayMs(attempt))
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(least)
  expect(Math.max(...waits)).toBeLessThan(most)
})

test.each(WINDOWS)('after attempt %i both ends of %i to %i ms can be had', (attempt, least, most) => {
  expect(retryDelayMs(attempt, () => 0)).toBe(least)
  expect(retryDelayMs(attempt, () => 1 - Number.EPSILON)).toBeCloseTo(most, 3)
})

test('no wait is longer than an hour', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2_000 }), fc.double({ min: 0, max: 0.999_999, noNaN: true }), (attempt, chance) => {
      expect(retryDelayMs(attempt, () => chance)).toBeLessThanOrEqual(3_600_000)
    }),
  )
})
