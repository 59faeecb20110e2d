import type { MapSite } from '@placefleet/deploy/simulation/map-site/server'
import type { Place } from '@placefleet/shared/place'
import type { TaskParameters } from '@placefleet/shared/protocol'
import type { Review } from '@placefleet/shared/review'
import { describe, expect, test } from 'vitest'
import { comparableReview } from '../../harness/agents/comparable.ts'
import { collecting, mapSite, placesWithReviews, taskOf } from './collecting.ts'

/** Collects places one after the other, over plain HTTP. Returns their reviews, those of the page first. */
async function collected(site: MapSite, indexes: readonly number[], parameters: Partial<TaskParameters>) {
  const { collector, run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const places: Place[] = []
  let limited = 0
  for (const index of indexes) {
    const references = [{ place_key: site.city.place(index).place_key }]
    const found = await run(taskOf({ kind: 'collect', references }, { parameters }))
    expect(found.end.kind).toBe('finished')
    places.push(...found.places)
    limited += found.end.outcomes.limited
  }
  const reviews = places.map(({ user_reviews = [], user_reviews_extended = [] }) => [
    ...user_reviews,
    ...user_reviews_extended,
  ])
  return { collector, places, limited, reviews }
}

const ids = (reviews: readonly Review[] = []) => reviews.map(({ id }) => id)
const sorted = (reviews: readonly Review[] = []) => reviews.map(comparableReview).sort(byText)
const byText = (a: unknown, b: unknown) => JSON.stringify(a).localeCompare(JSON.stringify(b))

test('a review has all that the site knows of it, its videos and its answers too', async () => {
  const site = await mapSite()
  const [index = -1] = placesWithReviews(site.city, 100, 149)
  const { reviews, places } = await collected(site, [index], { max_reviews: 500, language: 'de' })
  expect(sorted(reviews[0])).toEqual(sorted(site.city.reviews(index, 'newest', { language: 'de' })))
  expect(places[0]?.user_reviews_extended?.some(({ videos }) => videos)).toBe(true)
  expect(places[0]?.user_reviews_extended?.every(({ answers }) => answers)).toBe(true)
})

test.each([
  [8, 0],
  [60, 1],
  [69, 2],
  [120, 2],
  [500, 9],
])('%i reviews of a place take %i requests', async (max_reviews, requests) => {
  const site = await mapSite()
  const [index = -1] = placesWithReviews(site.city, 600, 100_000)
  const { reviews } = await collected(site, [index], { max_reviews })
  expect(reviews[0]).toHaveLength(max_reviews)
  expect(site.requests().kinds.reviews ?? 0).toBe(requests)
})

test.each([
  [60, 0.2],
  [10, 0.2],
  [10, 0],
])(
  'a list in pages of %i, where a share of %f of them has no token, is read to its end',
  async (localBoqPage, missingTokens) => {
    const site = await mapSite({ localBoqPage, missingTokens })
    const [index = -1] = placesWithReviews(site.city, 100, 149)
    const { reviews, limited } = await collected(site, [index], { max_reviews: 500 })
    expect(sorted(reviews[0])).toEqual(sorted(site.city.reviews(index, 'newest')))
    expect(limited).toBe(0)
  },
)

test.each([10, 60])(
  'a first page of %i without a token is requested three times, one more or less once',
  async (full) => {
    for (const [length, requests] of [
      [full - 1, 1],
      [full, 3],
      [full + 1, full === 60 ? 3 : 1],
    ] as const) {
      const site = await mapSite({ localBoqPage: Math.min(length, 60), missingTokens: 1 })
      const [index = -1] = placesWithReviews(site.city, 100, 149)
      const { reviews_since } = { reviews_since: '2010-01-01' } // so the count of the place is no measure
      await collected(site, [index], { max_reviews: 500, reviews_since })
      expect(site.requests().kinds.reviews).toBe(requests)
    }
  },
)

describe('a list that is', () => {
  test.each(['forbidden', 'gone', 'garbage'] as const)(
    '%s is left alone for the next places, which are stored without its reviews',
    async (localBoq) => {
      const site = await mapSite({ localBoq })
      const indexes = placesWithReviews(site.city, 41, 60, 3)
      const { collector, places, limited } = await collected(site, indexes, { max_reviews: 500 })
      expect(places.map(({ user_reviews }) => user_reviews?.length)).toEqual([8, 8, 8])
      expect(limited).toBe(3)
      expect(collector.resting()).toEqual({ blocked: 0, consent: 0, failed: 0, unknown: 0 })
      expect(site.requests().kinds.reviews).toBe(1)
    },
  )

  test('empty leaves its places limited', async () => {
    const site = await mapSite({ localBoq: 'empty' })
    const { places, limited } = await collected(site, placesWithReviews(site.city, 41, 60, 3), { max_reviews: 500 })
    expect(places.map(({ user_reviews }) => user_reviews?.length)).toEqual([8, 8, 8])
    expect(limited).toBe(3)
  })

  test('refused after its first page keeps that page, without a rest of the exit', async () => {
    const site = await mapSite({ localBoq: 'breaks' })
    const [index = -1] = placesWithReviews(site.city, 100, 149)
    const { collector, reviews, limited } = await collected(site, [index], { max_reviews: 500 })
    expect(reviews[0]?.length).toBeGreaterThanOrEqual(60)
    expect(limited).toBe(1)
    expect(collector.resting()).toEqual({ blocked: 0, consent: 0, failed: 0, unknown: 0 })
  })

  test('answered with a captcha is not asked again after the rest of the exit', async () => {
    const site = await mapSite({ localBoq: 'limited' })
    const indexes = placesWithReviews(site.city, 41, 60, 2)
    const { places, limited } = await collected(site, indexes, { max_reviews: 500 })
    expect(places.map(({ user_reviews }) => user_reviews?.length)).toEqual([8, 8])
    expect(limited).toBe(2)
    expect(site.requests().refused.rejected.reviews).toBe(1)
  })
})

describe('of a place with many reviews', () => {
  test.each(['highest', 'lowest'] as const)('the %s come first', async (reviews_sort) => {
    const site = await mapSite()
    const [index = -1] = placesWithReviews(site.city, 100, 149)
    const { places } = await collected(site, [index], { max_reviews: 70, reviews_sort })
    expect(ids(places[0]?.user_reviews_extended)).toEqual(ids(site.city.reviews(index, reviews_sort)).slice(0, 70))
    expect(places[0]).not.toHaveProperty('user_reviews')
  })

  test.each(['newest', 'relevant'] as const)('the %s come after those of the page', async (reviews_sort) => {
    const site = await mapSite()
    const [index = -1] = placesWithReviews(site.city, 100, 149)
    const { places } = await collected(site, [index], { max_reviews: 70, reviews_sort })
    const page = ids(site.city.place(index).user_reviews)
    const others = ids(site.city.reviews(index, reviews_sort)).filter((id) => !page.includes(id))
    expect(ids(places[0]?.user_reviews)).toEqual(page)
    expect(ids(places[0]?.user_reviews_extended)).toEqual(others.slice(0, 70 - page.length))
  })

  test('only those since a date are stored, and reading stops there', async () => {
    const site = await mapSite()
    const [index = -1] = placesWithReviews(site.city, 600, 100_000)
    const newest = site.city.reviews(index, 'newest')
    const reviews_since = newest[30]?.published_at?.slice(0, 10) ?? ''
    const wanted = newest.filter(({ published_at = '' }) => published_at >= reviews_since)
    const { reviews, limited } = await collected(site, [index], { max_reviews: 500, reviews_since })
    expect(sorted(reviews[0])).toEqual(sorted(wanted))
    expect(limited).toBe(0)
    expect(site.requests().kinds.reviews).toBe(1)
  })

  test('only those with the wanted stars count for the cap', async () => {
    const site = await mapSite()
    const [index = -1] = placesWithReviews(site.city, 600, 100_000)
    const wanted = site.city.reviews(index, 'newest').filter(({ rating = 0 }) => rating <= 2)
    const { reviews } = await collected(site, [index], { max_reviews: 40, reviews_ratings: [1, 2] })
    expect(reviews[0]).toHaveLength(40)
    const page = new Set(ids(site.city.place(index).user_reviews))
    const [paged, shown] = [wanted.filter(({ id }) => !page.has(id)), wanted.filter(({ id }) => page.has(id))]
    expect(sorted(reviews[0])).toEqual(sorted([...shown, ...paged].slice(0, 40)))
  })

  test('the lowest are read no further than the wanted stars go', async () => {
    const site = await mapSite()
    const [index = -1] = placesWithReviews(site.city, 600, 100_000)
    const wanted = site.city.reviews(index, 'lowest').filter(({ rating }) => rating === 1)
    const parameters: Partial<TaskParameters> = { max_reviews: 500, reviews_sort: 'lowest', reviews_ratings: [1] }
    const { reviews } = await collected(site, [index], parameters)
    expect(ids(reviews[0])).toEqual(ids(wanted))
    expect(site.requests().kinds.reviews).toBe(Math.floor(wanted.length / 60) + 1)
  })

  test('nobody who wrote one is named when the job says so', async () => {
    const site = await mapSite()
    const [index = -1] = placesWithReviews(site.city, 41, 60)
    const { reviews } = await collected(site, [index], { max_reviews: 500, reviewer_names: false })
    expect(reviews[0]?.length).toBe(site.city.reviews(index, 'newest').length)
    for (const review of reviews[0] ?? []) {
      for (const field of ['author', 'author_url', 'profile_picture']) expect(review).not.toHaveProperty(field)
      expect(review.published_at).toBeDefined()
    }
  })
})
