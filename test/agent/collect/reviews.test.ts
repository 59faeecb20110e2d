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

test('a review is the same from either door, with its videos and its answers', async () => {
  const site = await mapSite()
  const [index = -1] = placesWithReviews(site.city, 100, 149)
  const first = await collected(site, [index], { max_reviews: 500, language: 'de' })
  site.setOptions({ localBoq: 'forbidden' })
  const second = await collected(site, [index], { max_reviews: 500, language: 'de' })
  expect(first.reviews[0]?.map(comparableReview)).toEqual(second.reviews[0]?.map(comparableReview))
  expect(sorted(first.reviews[0])).toEqual(sorted(site.city.reviews(index, 'newest', { language: 'de' })))
  expect(first.places[0]?.user_reviews_extended?.some(({ videos }) => videos)).toBe(true)
  expect(first.places[0]?.user_reviews_extended?.every(({ answers }) => answers)).toBe(true)
})

test.each([
  [8, 0, 0],
  [60, 1, 3],
  [500, 9, 25],
])('%i reviews of a place take %i requests, and %i through the second door', async (max_reviews, first, second) => {
  const site = await mapSite()
  const [index = -1] = placesWithReviews(site.city, 600, 100_000)
  const { reviews } = await collected(site, [index], { max_reviews })
  expect(reviews[0]).toHaveLength(max_reviews)
  expect(site.requests().kinds.reviews ?? 0).toBe(first)
  site.resetRequests()
  site.setOptions({ localBoq: 'forbidden' })
  await collected(site, [index], { max_reviews })
  const knocks = max_reviews > 8 ? 1 : 0
  expect(site.requests().kinds.reviews ?? 0).toBe(second + knocks)
})

describe('a first door that is', () => {
  test.each(['empty', 'forbidden', 'gone', 'garbage'] as const)(
    '%s is replaced by the second one, and left alone afterwards',
    async (localBoq) => {
      const site = await mapSite({ localBoq })
      const indexes = placesWithReviews(site.city, 41, 60, 3)
      const { collector, reviews, limited } = await collected(site, indexes, { max_reviews: 500 })
      for (const [nth, index] of indexes.entries()) {
        expect(sorted(reviews[nth])).toEqual(sorted(site.city.reviews(index, 'newest')))
      }
      expect(limited).toBe(0)
      expect(collector.resting()).toEqual({ blocked: 0, consent: 0, failed: 0, unknown: 0 })
      expect(site.requests().kinds.reviews).toBe(1 + 3 * 3) // one knock, then pages of twenty
    },
  )

  test('shut after its first page is replaced by the second one, without a rest of the exit', async () => {
    const site = await mapSite({ localBoq: 'breaks' })
    const [index = -1] = placesWithReviews(site.city, 100, 149)
    const { collector, reviews, limited } = await collected(site, [index], { max_reviews: 500 })
    expect(sorted(reviews[0])).toEqual(sorted(site.city.reviews(index, 'newest')))
    expect(limited).toBe(0)
    expect(collector.resting()).toEqual({ blocked: 0, consent: 0, failed: 0, unknown: 0 })
  })

  test('answered with a captcha is not asked again after the rest of the exit', async () => {
    const site = await mapSite({ localBoq: 'limited' })
    const indexes = placesWithReviews(site.city, 41, 60, 2)
    const { reviews, limited } = await collected(site, indexes, { max_reviews: 500 })
    expect(limited).toBe(0)
    expect(reviews.map(sorted)).toEqual(indexes.map((index) => sorted(site.city.reviews(index, 'newest'))))
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
