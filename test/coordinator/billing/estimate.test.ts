import { creditString, DEFAULT_PRICES, jobCost, microCredits } from '@placefleet/coordinator/billing/prices/cost'
import {
  type CostFactors,
  creditNumber,
  estimateJob,
  estimateTime,
  jobCeiling,
  minimumCost,
  mostListed,
  placeCounts,
} from '@placefleet/coordinator/billing/prices/estimate'
import { Estimate, EstimateRequest } from '@placefleet/coordinator/billing/prices/estimate-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { costFactors, unitPrices } from './arbitraries.ts'

const factors = (given: Partial<CostFactors>): CostFactors => ({
  keywords: ['cafe'],
  depth: 5,
  include_emails: false,
  max_images: 0,
  website_filter: 'all',
  ...given,
})
/** What an estimate says without the time. */
const CostEstimate = Estimate.omit({ seconds: true, time_assumes: true })
const words = (count: number) => Array.from({ length: count }, (_, index) => `word ${index}`)

describe('the number of places', () => {
  test.each([
    // keywords, depth, max_results → a keyword, lower, likely, upper
    [1, 1, 'no cap', 20, 8, 15, 20] as const,
    [1, 6, 'no cap', 120, 48, 90, 120] as const,
    [1, 20, 'no cap', 120, 48, 90, 120] as const,
    [5, 20, 'no cap', 120, 240, 450, 600] as const,
    [1, 5, 50, 100, 40, 50, 50] as const,
    [1, 5, 1, 100, 1, 1, 1] as const,
    [5, 20, 500, 120, 240, 450, 500] as const,
  ])('of %d keyword(s) at depth %d with %s', (keywords, depth, cap, per_keyword, min, likely, max) => {
    const max_results = cap === 'no cap' ? undefined : cap
    const counts = placeCounts(factors({ keywords: words(keywords), depth, max_results }), DEFAULT_PRICES)
    expect(counts).toEqual({ per_keyword, min, likely, max })
  })

  test('does not change with more known places than the searches list at most', () => {
    fc.assert(
      fc.property(costFactors, fc.nat(100_000), (given, more) => {
        const listed = mostListed(given)
        const [all, counted] = [listed + more, listed].map((known_places) =>
          placeCounts({ ...given, known_places }, DEFAULT_PRICES),
        )
        expect(all).toEqual(counted)
      }),
    )
  })

  test('is at least 1, in order, and never above max_results', () => {
    fc.assert(
      fc.property(costFactors, (given) => {
        const { min, likely, max } = placeCounts(given, DEFAULT_PRICES)
        expect([1 <= min, min <= likely, likely <= max, max <= (given.max_results ?? 600)]).toEqual(Array(4).fill(true))
      }),
    )
  })
})

test.each([
  { asks: '71 places', requests: 79, more: { max_results: 71 }, isOffered: false },
  { asks: '72 places', requests: 80, more: { max_results: 72 }, isOffered: true },
  { asks: '72 places with images', requests: 80, more: { max_results: 72, max_images: 1 }, isOffered: false },
  { asks: '72 places with reviews', requests: 80, more: { max_results: 72, max_reviews: 1 }, isOffered: false },
  { asks: '72 places with emails', requests: 80, more: { max_results: 72, include_emails: true }, isOffered: false },
])('a job of $asks is offered fast mode if that saves nine of ten requests: $isOffered', (row) => {
  const { requests, more, isOffered } = row
  const time = estimateTime(
    {
      ...factors({ depth: 6, max_reviews: 0, ...more }),
      exits: [{ first: 20, most: 60, rest: 0 }],
      fast_mode: false,
      has_free_filter: false,
      has_area: false,
    },
    DEFAULT_PRICES,
  )
  expect(time.time_assumes.requests).toBe(requests)
  expect('fast_mode_seconds' in time).toBe(isOffered)
})

test.each([
  { named: 2, most: 500 },
  { named: 501, most: 501 },
])('a job of $named named places stores $most at most, however much it may cost', ({ named, most }) => {
  const estimate = estimateJob(factors({ places: words(named), max_cost: '1000000' }), DEFAULT_PRICES, 0)
  expect(estimate.places_within_max_cost).toBe(most)
})

describe('the estimate', () => {
  test('of a body with only keywords assumes 50 reviews a place and no cap', () => {
    const estimate = estimateJob(EstimateRequest.parse({ keywords: ['cafe'] }), DEFAULT_PRICES, 1_900_000_000)
    expect(estimate).toEqual({
      object: 'job_estimate',
      currency: 'credits',
      places: 75,
      places_min: 40,
      places_max: 100,
      keyword_count: 1,
      places_per_keyword: 100,
      total: 2.107,
      total_min: 1.127,
      total_max: 2.807,
      breakdown: {
        job_start_cost: 0.007,
        places_cost: 0.225,
        contact_details_cost: 0,
        reviews_cost: 1.875,
        images_cost: 0,
        filter_cost: 0,
      },
      reviews: 3_750,
      images: 0,
      includes_emails: false,
      unit_prices: {
        job_start: 0.007,
        place_scraped: 0.003,
        contact_details: 0.002,
        review: 0.0005,
        image: 0.0005,
        filters_applied: 0.001,
      },
      max_results_provided: false,
      description: 'About 75 places (40 to 100) for 1 keyword at depth 5: about 2.107000 credits.',
      expires_at: 1_900_000_000,
    })
  })

  test.each([
    // what is asked → reviews, images, total at 8 places (cap), in credits
    [{ max_reviews: 0 }, 0, 0, 0.031],
    [{ max_reviews: 3 }, 24, 0, 0.043],
    [{ max_reviews: 500 }, 400, 0, 0.231],
    [{ max_reviews: 0, max_images: 4 }, 0, 32, 0.047],
    [{ max_reviews: 0, max_images: 500 }, 0, 80, 0.071],
    [{ max_reviews: 0, include_emails: true }, 0, 0, 0.047],
    [{ max_reviews: 0, website_filter: 'no_website' as const }, 0, 0, 0.039],
    [{ max_reviews: 0, website_filter: 'has_website' as const, include_emails: true }, 0, 0, 0.055],
  ])('of %j is for %i reviews and %i images, %d credits', (given, reviews, images, total) => {
    const estimate = estimateJob(factors({ max_results: 8, ...given }), DEFAULT_PRICES, 0)
    expect({ reviews: estimate.reviews, images: estimate.images, total: estimate.total }).toEqual({
      reviews,
      images,
      total,
    })
  })

  test('has a breakdown that sums to the total, exactly, and keeps to its schema', () => {
    fc.assert(
      fc.property(costFactors, unitPrices, (given, prices) => {
        const estimate = CostEstimate.parse(estimateJob(given, prices, 1_900_000_000))
        const micro = (credits: number) => microCredits(credits.toFixed(6))
        const parts = Object.values(estimate.breakdown).map(micro)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(micro(estimate.total))
        expect([estimate.total_min <= estimate.total, estimate.total <= estimate.total_max]).toEqual([true, true])
        expect(estimate.total_min).toBe(creditNumber(minimumCost(given, prices)))
      }),
    )
  })
})

describe('the estimate of a job with max_cost', () => {
  const start = 7_000 // and 0.003 a place
  test.each([
    { max_cost: '0.10', more: {}, places: 31, total: 0.1 },
    { max_cost: '0.099999', more: {}, places: 30, total: 0.097 },
    { max_cost: '0.10', more: { max_results: 10 }, places: 10, total: 0.037 },
  ])('of $max_cost and $more is for $places places, and tells how many it pays for', (row) => {
    const asked = factors({ max_reviews: 0, max_cost: row.max_cost, ...row.more })
    const estimate = estimateJob(asked, DEFAULT_PRICES, 0)
    expect(estimate).toMatchObject({ places: row.places, places_max: row.places, total: row.total })
    const within = Math.floor((microCredits(row.max_cost) - start) / 3_000)
    expect(estimate.places_within_max_cost).toBe(within)
  })

  test('needs no more credits than the job may cost', () => {
    const asked = factors({ max_reviews: 0, max_cost: '0.10' })
    expect(minimumCost(asked, DEFAULT_PRICES)).toBe(100_000)
  })

  test('counts exactly the places that the credits pay for', () => {
    const money = fc.nat({ max: 100_000_000 })
    fc.assert(
      fc.property(costFactors, unitPrices, money, (given, prices, max_cost) => {
        const asked = { ...given, max_cost: creditString(max_cost) }
        const { places_within_max_cost: within = -1 } = CostEstimate.parse(estimateJob(asked, prices, 0))
        const { max_reviews: reviews = 50, max_images: images } = given
        const costOf = (places: number) => {
          const totals = { places, reviews: places * Math.min(reviews, 50), images: places * Math.min(images, 10) }
          return jobCost({ ...given, prices, totals, started: true }).total
        }
        if (within > 0) expect(costOf(within)).toBeLessThanOrEqual(max_cost)
        if (within < 500) expect(costOf(within + 1)).toBeGreaterThan(max_cost)
        const { max, min } = jobCeiling({ ...asked, max_reviews: reviews, max_results: 500 }, prices)
        expect([min <= max, max <= max_cost]).toEqual([true, true])
      }),
    )
  })
})

describe('the maximum cost of a job', () => {
  const job = { ...factors({}), max_results: 50, max_reviews: 0 }

  test('of the defaults is 50 places; 40 of them must be covered', () => {
    expect(jobCeiling(job, DEFAULT_PRICES)).toEqual({ max: 157_000, min: 127_000 })
  })

  test('counts every review and image up to its caps', () => {
    const greedy = { ...job, max_results: 500, max_reviews: 500, max_images: 500, include_emails: true }
    const max = 7_000 + 500 * (3_000 + 2_000 + 1_000 + 500 * 500 + 500 * 500)
    expect(jobCeiling({ ...greedy, website_filter: 'has_website' }, DEFAULT_PRICES).max).toBe(max)
  })
})

test('the body of an estimate may be a whole job creation body; other fields are ignored', () => {
  const asked = { keywords: ['cafe'], max_results: 10, max_reviews: 0 }
  const ignored = { name: 'x', language: 'en', lat: '34.6', zoom: 14, radius: 500, max_time: 60, proxies: ['x'] }
  const [plain, whole] = [asked, { ...asked, ...ignored }].map((body) =>
    estimateJob(EstimateRequest.parse(body), DEFAULT_PRICES, 0),
  )
  expect(whole).toEqual(plain)
})
