import {
  durationOf,
  requestsOf,
  secondsOf,
  usedExits,
  type Work,
} from '@placefleet/coordinator/billing/prices/duration'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const work = (given: Partial<Work> = {}): Work => ({
  keywords: 1,
  named: 0,
  listed: 40,
  places: 40,
  reviews: 0,
  images: 0,
  fast_mode: false,
  websites: false,
  has_area: false,
  ...given,
})

describe('the requests of a job', () => {
  test.each<[string, Partial<Work>, number]>([
    ['a front page, 2 + 3 pages of a search, and a payload for each place', {}, 1 + 5 + 40],
    ['no payload in fast mode', { fast_mode: true }, 1 + 5],
    ['a list of reviews for 50 of each place', { reviews: 50 }, 1 + 5 + 40 + 40],
    ['no list for reviews that the page shows', { reviews: 8 }, 1 + 5 + 40],
    ['a list of images for 20 of each place', { images: 20 }, 1 + 5 + 40 + 40],
    ['three more pages for another keyword', { keywords: 2 }, 1 + 8 + 40],
    ['a circle as it was measured', { has_area: true, listed: 5_089, places: 0 }, 1 + 1_900],
  ])('count %s', (_, given, requests) => expect(requestsOf(work(given), 1)).toBe(requests))
})

describe('the time of one exit', () => {
  test.each([
    [20, 60], // 20 × 3 s
    [40, 114], // and 20 × 2.7 s
    [400, 592],
  ])('%d requests at 20 to 60 a minute take %d seconds', (requests, seconds) =>
    expect(Math.round(secondsOf(requests, { first: 20, most: 60 }))).toBe(seconds),
  )

  test('it is never shorter than at its highest pace, and never longer than at its first', () => {
    fc.assert(
      fc.property(
        fc.nat(20_000),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 100 }),
        (n, first, more) => {
          const seconds = secondsOf(n, { first, most: first + more })
          expect(seconds).toBeGreaterThanOrEqual((n * 60) / (first + more) - 1e-6)
          expect(seconds).toBeLessThanOrEqual((n * 60) / first + 1e-6)
        },
      ),
    )
  })
})

test('exits share the work, as many as there are tasks', () => {
  expect(usedExits(work({ places: 40 }), 100)).toBe(4)
  expect(usedExits(work({ places: 40 }), 3)).toBe(3)
  expect(usedExits(work({ keywords: 2, fast_mode: true }), 100)).toBe(2)
  expect(usedExits(work({ places: 0 }), 100)).toBe(1)
})

test('low is the least work at the highest pace, high the most work at the first one, with likely between', () => {
  const range = { low: work({ places: 10 }), likely: work(), high: work({ places: 80 }) }
  const exit = { first: 20, most: 60, rest: 0 }
  const one = durationOf(range, [exit])
  expect(one).toMatchObject({ seconds: { low: 16, likely: 129, high: 258 }, requests: 46, exits: 1 })
  const four = durationOf(range, [exit, exit, exit, exit])
  expect(four.seconds.likely).toBeLessThan(one.seconds.likely / 3)
})

const seconds = (exits: Parameters<typeof durationOf>[1], given: Partial<Work> = {}) =>
  durationOf({ low: work(given), likely: work(given), high: work(given) }, exits).seconds.likely

test('an exit that rests is left out, unless waiting for it makes the job shorter', () => {
  const exit = { first: 20, most: 60, rest: 0 }
  const alone = seconds([exit])
  expect(seconds([exit, { ...exit, rest: 3_600 }])).toBe(alone)
  expect(seconds([exit, { ...exit, rest: 10 }])).toBeLessThan(alone)
  expect(seconds([{ ...exit, rest: 3_600 }])).toBe(3_600 + alone)
})

test('an exit that was slowed down takes longer, one without a limit less', () => {
  expect(seconds([{ first: 5, most: 60, rest: 0 }])).toBeGreaterThan(2 * seconds([{ first: 20, most: 60, rest: 0 }]))
  expect(seconds([{ first: 600, most: 600, rest: 0 }])).toBeLessThan(10)
})

test('visits to websites count where many exits share the requests', () => {
  const exit = { first: 600, most: 600, rest: 0 }
  expect(seconds([exit], { websites: true, places: 120 })).toBe(40)
  expect(seconds([exit], { websites: true, places: 120, fast_mode: true })).toBeLessThan(5)
})
