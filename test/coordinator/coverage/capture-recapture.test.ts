import { dependenceOf, INDEPENDENT, intervalOf, unseenBy } from '@placefleet/coordinator/coverage/capture-recapture'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test.each([
  // Computed apart from the code: (n1 + 1)(n2 + 1) / (m + 1) - 1, less the places found.
  { both: 50, first: 50, second: 30, unseen: 29.41, low: 15.653, high: 57.091 },
  { both: 10, first: 0, second: 0, unseen: 0, low: 0, high: 14_316.556 },
  { both: 0, first: 5, second: 5, unseen: 25, low: 2.441, high: 1_243.931 },
  { both: 400, first: 20, second: 4, unseen: 0.2, low: 0, high: 15.022 },
])('$both places found by both looks and $first and $second by one leave $unseen unseen', (given) => {
  const unseen = unseenBy(given)
  const { low, high } = intervalOf(unseen)
  expect(unseen.estimate).toBeCloseTo(given.unseen, 2)
  expect(low).toBeCloseTo(given.low, 2)
  expect(high).toBeCloseTo(given.high, 2)
})

const count = fc.nat(10_000)

test('an interval holds its estimate, and dependent looks leave more places unseen', () => {
  fc.assert(
    fc.property(count, count, count, fc.array(count, { minLength: 4, maxLength: 4 }), (both, first, second, table) => {
      const [a = 0, b = 0, c = 0, d = 0] = table
      const dependence = dependenceOf(a, b, c, d)
      const [plain, dependent] = [INDEPENDENT, dependence].map((one) => unseenBy({ both, first, second }, one))
      for (const unseen of [plain, dependent]) {
        if (!unseen) return
        const { low, high } = intervalOf(unseen)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(low).toBeLessThanOrEqual(unseen.estimate)
        expect(high).toBeGreaterThanOrEqual(unseen.estimate)
      }
      expect(dependence.ratio).toBeGreaterThanOrEqual(1)
      expect(dependent?.estimate).toBeGreaterThanOrEqual(plain?.estimate ?? 0)
    }),
  )
})
