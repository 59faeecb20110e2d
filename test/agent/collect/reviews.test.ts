import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import type { Place } from '@placefleet/shared/place'
import type { TaskParameters } from '@placefleet/shared/protocol'
import type { Review } from '@placefleet/shared/review'
import { describe, expect, test } from 'vitest'
import { comparableReview } from '../../harness/agents/comparable.ts'
import { onSite, placesWithReviews } from './collecting.ts'

/** How many reviews the places have that a test collects, from and to. */
type Size = readonly [least: number, most: number, places?: number]
const FEW: Size = [41, 60]
const HUNDRED: Size = [100, 149]
const MANY: Size = [600, 100_000]

/** Collects places of a size, one after the other. Returns their reviews, those of the page first. */
async function collected(
  [least, most, count = 1]: Size = HUNDRED,
  parameters: Partial<TaskParameters> = {},
  options: Partial<SiteOptions> = {},
) {
  const { site, city, collector, collect } = await onSite(options)
  const places: Place[] = []
  let limited = 0
  const indexes = placesWithReviews(city, least, most, count)
  for (const index of indexes) {
    const found = await collect([index], { max_reviews: 500, ...parameters })
    expect(found.end.kind).toBe('finished')
    places.push(...found.places)
    limited += found.end.outcomes.limited
  }
  const [reviews = []] = places.map(({ user_reviews = [], user_reviews_extended = [] }) => [
    ...user_reviews,
    ...user_reviews_extended,
  ])
  const [index = -1] = indexes
  return { site, city, index, collector, places, limited, reviews, requests: site.requests().kinds.reviews ?? 0 }
}

const NO_REST = { blocked: 0, consent: 0, failed: 0, unknown: 0 }
const ids = (reviews: readonly Review[] = []) => reviews.map(({ id }) => id)
const sorted = (reviews: readonly Review[] = []) => reviews.map(comparableReview).sort(byText)
const byText = (a: unknown, b: unknown) => JSON.stringify(a).localeCompare(JSON.stringify(b))

test('a review has all that the site knows of it, its videos and its answers too', async () => {
  const { city, index, reviews, places } = await collected(HUNDRED, { language: 'de' })
  expect(sorted(reviews)).toEqual(sorted(city.reviews(index, 'newest', { language: 'de' })))
  expect(places[0]?.user_reviews_extended?.some(({ videos }) => videos)).toBe(true)
  expect(places[0]?.user_reviews_extended?.every(({ answers }) => answers)).toBe(true)
})

test.each([
  [8, 0],
  [60, 1],
  [69, 2],
  [120, 2],
  [500, 9],
])('%i reviews of a place take %i requests', async (max_reviews, wanted) => {
  const { reviews, requests } = await collected(MANY, { max_reviews })
  expect(reviews).toHaveLength(max_reviews)
  expect(requests).toBe(wanted)
})

test.each([
  [60, 0.2],
  [10, 0.2],
  [10, 0],
])(
  'a list in pages of %i, where a share of %f of them has no token, is read to its end',
  async (localBoqPage, missingTokens) => {
    const { city, index, reviews, limited } = await collected(HUNDRED, {}, { localBoqPage, missingTokens })
    expect(sorted(reviews)).toEqual(sorted(city.reviews(index, 'newest')))
    expect(limited).toBe(0)
  },
)

test.each([
  [9, 1],
  [10, 3],
  [11, 1],
  [59, 1],
  [60, 3],
])(
  'a first page of %i without a token is requested %i times: only a full one may go on',
  async (localBoqPage, times) => {
    const reviews_since = '2010-01-01' // so the count of the place is no measure
    const { requests } = await collected(HUNDRED, { reviews_since }, { localBoqPage, missingTokens: 1 })
    expect(requests).toBe(times)
  },
)

describe('a list that is', () => {
  test.each(['forbidden', 'gone', 'garbage'] as const)(
    '%s is left alone for the next places, which are stored without its reviews',
    async (localBoq) => {
      const { collector, places, limited, requests } = await collected([41, 60, 3], {}, { localBoq })
      expect(places.map(({ user_reviews }) => user_reviews?.length)).toEqual([8, 8, 8])
      expect(limited).toBe(3)
      expect(collector.resting()).toEqual(NO_REST)
      expect(requests).toBe(1)
    },
  )

  test('empty leaves its places limited', async () => {
    const { places, limited } = await collected([41, 60, 3], {}, { localBoq: 'empty' })
    expect(places.map(({ user_reviews }) => user_reviews?.length)).toEqual([8, 8, 8])
    expect(limited).toBe(3)
  })

  test('refused after its first page keeps that page, without a rest of the exit', async () => {
    const { collector, reviews, limited } = await collected(HUNDRED, {}, { localBoq: 'breaks' })
    expect(reviews.length).toBeGreaterThanOrEqual(60)
    expect(limited).toBe(1)
    expect(collector.resting()).toEqual(NO_REST)
  })

  test('answered with a captcha is not asked again after the rest of the exit', async () => {
    const { site, places, limited } = await collected([41, 60, 2], {}, { localBoq: 'limited' })
    expect(places.map(({ user_reviews }) => user_reviews?.length)).toEqual([8, 8])
    expect(limited).toBe(2)
    expect(site.requests().refused.rejected.reviews).toBe(1)
  })
})

describe('of a place with many reviews', () => {
  test.each(['highest', 'lowest'] as const)('the %s come first', async (reviews_sort) => {
    const { city, index, places } = await collected(HUNDRED, { max_reviews: 70, reviews_sort })
    expect(ids(places[0]?.user_reviews_extended)).toEqual(ids(city.reviews(index, reviews_sort)).slice(0, 70))
    expect(places[0]).not.toHaveProperty('user_reviews')
  })

  test.each(['newest', 'relevant'] as const)('the %s come after those of the page', async (reviews_sort) => {
    const { city, index, places } = await collected(HUNDRED, { max_reviews: 70, reviews_sort })
    const page = ids(city.place(index).user_reviews)
    const others = ids(city.reviews(index, reviews_sort)).filter((id) => !page.includes(id))
    expect(ids(places[0]?.user_reviews)).toEqual(page)
    expect(ids(places[0]?.user_reviews_extended)).toEqual(others.slice(0, 70 - page.length))
  })

  test('only those since a date are stored, and reading stops there', async () => {
    const { city, index } = await collected(MANY, { max_reviews: 0 })
    const newest = city.reviews(index, 'newest')
    const reviews_since = newest[30]?.published_at?.slice(0, 10) ?? ''
    const wanted = newest.filter(({ published_at = '' }) => published_at >= reviews_since)
    const { reviews, limited, requests } = await collected(MANY, { reviews_since })
    expect(sorted(reviews)).toEqual(sorted(wanted))
    expect(limited).toBe(0)
    expect(requests).toBe(1)
  })

  test('only those with the wanted stars count for the cap', async () => {
    const { city, index, reviews } = await collected(MANY, { max_reviews: 40, reviews_ratings: [1, 2] })
    const wanted = city.reviews(index, 'newest').filter(({ rating = 0 }) => rating <= 2)
    const page = new Set(ids(city.place(index).user_reviews))
    const [paged, shown] = [wanted.filter(({ id }) => !page.has(id)), wanted.filter(({ id }) => page.has(id))]
    expect(reviews).toHaveLength(40)
    expect(sorted(reviews)).toEqual(sorted([...shown, ...paged].slice(0, 40)))
  })

  test('the lowest are read no further than the wanted stars go', async () => {
    const { city, index, reviews, requests } = await collected(MANY, { reviews_sort: 'lowest', reviews_ratings: [1] })
    const wanted = city.reviews(index, 'lowest').filter(({ rating }) => rating === 1)
    expect(ids(reviews)).toEqual(ids(wanted))
    expect(requests).toBe(Math.floor(wanted.length / 60) + 1)
  })

  test('nobody who wrote one is named when the job says so', async () => {
    const { city, index, reviews } = await collected(FEW, { reviewer_names: false })
    expect(reviews).toHaveLength(city.reviews(index, 'newest').length)
    for (const review of reviews) {
      for (const field of ['author', 'author_url', 'profile_picture']) expect(review).not.toHaveProperty(field)
      expect(review.published_at).toBeDefined()
    }
  })
})
