import { expect, test } from 'vitest'
import { comparableReview } from '../../harness/agents/comparable.ts'
import { sharedBrowser } from '../../harness/browser.ts'
import { until } from '../../harness/until.ts'
import { volume } from '../../harness/volume.ts'
import { areaSearch, keysWithin } from './areas.ts'
import { collecting, keysOf, mapSite, placesWithReviews, taskOf } from './collecting.ts'
import { expectExactPlaces } from './exact-places.ts'
import { countRequests } from './request-counts.ts'

/** No name has an address. The simulated sites have addresses instead of names. */
const open = sharedBrowser({ lookup: async () => [] })

/** Plain HTTP reads both in `npm test` (http-rung.test.ts). */
const PLACE_PAGES = (['request', 'embed'] as const).slice(0, volume(1, 2))

test.each(PLACE_PAGES)('Chromium returns exactly the places of a site whose pages %s their payload', (placePages) =>
  expectExactPlaces({ rung: 'browser', open }, placePages, 4),
)

test('a feed behind a consent wall in another language is scrolled to its end, without ads', async () => {
  const site = await mapSite({ consent: true, ads: true }, 600)
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open })
  const { references } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters: { language: 'de' } }))
  expect(keysOf(references)).toEqual(site.city.keysOf('bakery'))
  const shallow = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters: { depth: 2 } }))
  expect(shallow.references.length).toBe(40)
})

test('a search with one match returns that place', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open })
  const { title, place_key } = site.city.place(3)
  const { references } = await run(taskOf({ kind: 'discover', keyword: title }))
  expect(keysOf(references)).toEqual([place_key])
})

test('a search that finds nothing is empty, not failed', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open })
  const { end } = await run(taskOf({ kind: 'discover', keyword: 'zzqx nothing of that name' }))
  expect(end).toMatchObject({ kind: 'finished', outcomes: { empty: 1 } })
})

test.each(['https', 'http'])('in Chromium a %s site whose name has no address is unreachable', async (scheme) => {
  const { run } = collecting({ mapsBaseUrl: `${scheme}://maps.example`, rung: 'browser', open })
  const { end } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(end).toMatchObject({
    kind: 'failed',
    code: 'source_unavailable',
    message: expect.stringContaining('cannot be reached'),
  })
})

test('fast mode reads the payloads that the page asks for itself', async () => {
  const site = await mapSite({ blockPlainHttp: true }, 360)
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open })
  const { places } = await run(
    taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters: { fast_mode: true, max_reviews: 0 } }),
  )
  expect(keysOf(places)).toEqual(site.city.keysOf('bakery'))
})

test('reviews are the same on both rungs, newest first', async () => {
  const site = await mapSite()
  // More than one page of twenty, and not many.
  const [index = -1] = placesWithReviews(site.city, 41, 70)
  const { place_key } = site.city.place(index)
  const inline = new Set(site.city.place(index, { language: 'de' }).user_reviews?.map(({ id }) => id))
  const newest = site.city.reviews(index, 'newest', { language: 'de' }).filter(({ id }) => !inline.has(id))
  for (const max_reviews of [30, 500]) {
    const task = taskOf(
      { kind: 'collect', references: [{ place_key }] },
      { parameters: { max_reviews, language: 'de' } },
    )
    const byHttp = await collecting({ mapsBaseUrl: site.url, rung: 'http' }).run(task)
    const inBrowser = await collecting({ mapsBaseUrl: site.url, rung: 'browser', open }).run(task)
    const extended = byHttp.places[0]?.user_reviews_extended
    expect(extended?.map(comparableReview)).toEqual(newest.slice(0, max_reviews - inline.size).map(comparableReview))
    expect(inBrowser.places[0]?.user_reviews_extended?.map(comparableReview)).toEqual(extended?.map(comparableReview))
  }
})

// One list by relevance comes with the page; sorted lists have ten reviews each.
test.each([
  [8, 0, 0],
  [60, 1, 7],
  [500, 1, 51],
])('%i reviews of a place take more pages: %i, and lists: %i', async (max_reviews, pages, lists) => {
  const site = await mapSite()
  const [index = -1] = placesWithReviews(site.city, 600, 100_000)
  const references = [{ place_key: site.city.place(index).place_key }]
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open })
  await run(taskOf({ kind: 'collect', references }, { parameters: { max_reviews: 0 } }))
  const before = site.requests().kinds['place-page'] ?? 0
  const { places } = await run(taskOf({ kind: 'collect', references }, { parameters: { max_reviews } }))
  const { user_reviews = [], user_reviews_extended = [] } = places[0] ?? {}
  expect(user_reviews.length + user_reviews_extended.length).toBe(max_reviews)
  const kinds = site.requests().kinds
  expect({ pages: (kinds['place-page'] ?? 0) - before, lists: kinds.reviews ?? 0 }).toEqual({ pages, lists })
})

test.each(['relevant', 'lowest'] as const)('the page is told to sort by %s', async (reviews_sort) => {
  const site = await mapSite()
  const [index = -1] = placesWithReviews(site.city, 41, 70)
  const references = [{ place_key: site.city.place(index).place_key }]
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open })
  const { places } = await run(
    taskOf({ kind: 'collect', references }, { parameters: { max_reviews: 500, reviews_sort } }),
  )
  const inline = new Set(places[0]?.user_reviews?.map(({ id }) => id))
  const wanted = site.city.reviews(index, reviews_sort).filter(({ id }) => !inline.has(id))
  expect(places[0]?.user_reviews_extended?.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
})

test('a limited view is reported', async () => {
  const site = await mapSite({ limited: true })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open })
  const { end, references } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 1 } })
  expect(keysOf(references)).toEqual(site.city.keysOf('bakery'))
})

test('a rate-limited address is reported as blocked, not as empty', async () => {
  const few = (requests: number) => ({ rateLimit: { requests, windowMs: 600_000, blockMs: 600_000 } })
  const one = await mapSite(few(2)) // the front page and that of the search, no payload
  const search = taskOf({ kind: 'discover', keyword: 'bakery' })
  const { end } = await collecting({ mapsBaseUrl: one.url, rung: 'browser', open, snoozes: 0 }).run(search)
  expect(end).toMatchObject({ kind: 'snoozed', outcomes: { empty: 0 } })

  const two = await mapSite(few(1)) // the front page, no place
  const place = taskOf({ kind: 'collect', references: [{ place_key: two.city.place(1).place_key }] })
  const collected = await collecting({ mapsBaseUrl: two.url, rung: 'browser', open, snoozes: 0 }).run(place)
  expect(collected.end).toMatchObject({ kind: 'snoozed' })
})

test('a page that fails now and then is opened again', async () => {
  const site = await mapSite({ failureRate: 0.1 })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open })
  const references = site.city
    .search('bakery')
    .slice(0, 10)
    .map((index) => ({ place_key: site.city.place(index).place_key }))
  const { places, end } = await run(taskOf({ kind: 'collect', references }))
  expect(end).toMatchObject({ kind: 'finished' })
  expect(places.length).toBeGreaterThanOrEqual(8)
})

test('an aborted task stops at once and leaves no page', async () => {
  const site = await mapSite({ latencyMs: { min: 30_000, max: 30_000 } })
  const { run, collector } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open })
  const stop = new AbortController()
  const running = run(taskOf({ kind: 'discover', keyword: 'bakery' }), stop.signal)
  await until('the site is asked', () => site.requests().total > 0)
  stop.abort(new Error('job cancelled'))
  await expect(running).rejects.toThrow('job cancelled')
  await collector.close()
})

test.each([false, true])('Chromium searches an area the same way (fast mode: %s)', async (fast_mode) => {
  const site = await mapSite({}, 480)
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', open })
  const found = await run(areaSearch({ radius: 5_000, max_reviews: 0, fast_mode }))
  expect(keysOf(fast_mode ? found.places : found.references)).toEqual(keysWithin(site.city, 'bakery', 5_000))
})

test('Chromium opens one place per page, requests the others from there, and loads no images', async () => {
  const { collect, search } = await countRequests({ rung: 'browser', open, places: 120 })
  expect(search).toMatchObject({ 'maps-page': 1, 'search-page': 1 })
  expect(collect).toMatchObject({ 'place-page': expect.any(Number), 'place-payload': 10 })
  expect(collect.image).toBeUndefined()
})
