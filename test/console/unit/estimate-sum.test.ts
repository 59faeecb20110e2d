import { expect, test } from 'vitest'
import { sumOfEstimates } from '../../../coordinator/console/src/new-job/estimate-sum.ts'

type Answer = Parameters<typeof sumOfEstimates>[0][number]

const answer = (places: number, total: number, current = 1, more: object = {}): Answer =>
  ({
    estimate: {
      places,
      places_min: places,
      places_max: places,
      total,
      total_min: total,
      total_max: total,
      breakdown: { places_cost: total, reviews_cost: 0 },
      seconds: { low: 1, likely: 2, high: 3 },
      ...more,
    },
    balance: { current, sufficient: true },
  }) as unknown as Answer

test('the estimate of several jobs has the sums of their figures, exact to a micro-credit', () => {
  const { estimate } = sumOfEstimates([answer(1_000, 0.1), answer(1_000, 0.2), answer(1, 0.000_001)])
  expect(estimate).toMatchObject({
    places: 2_001,
    total: 0.300_001,
    total_max: 0.300_001,
    breakdown: { places_cost: 0.300_001, reviews_cost: 0 },
    seconds: { low: 3, likely: 6, high: 9 },
  })
  expect('places_known' in estimate).toBe(false)
  const known = sumOfEstimates([answer(1, 1, 1, { places_known: 2 }), answer(1, 1, 1, { places_known: 3 })])
  expect(known.estimate.places_known).toBe(5)
})

test.each([
  [0.3, true],
  [0.299_999, false],
])('credits of %f cover jobs of 0.1 and 0.2 in all: %s', (current, sufficient) => {
  expect(sumOfEstimates([answer(1, 0.1, current), answer(1, 0.2, current)]).balance.sufficient).toBe(sufficient)
})
