import type { Answer } from '@placefleet/agent/maps/answers/classify'
import { Place, PlaceReference } from '@placefleet/shared/place'
import { expect, test } from 'vitest'
import { comparableReview } from '../../harness/agents/comparable.ts'
import { sharedBrowser } from '../../harness/browser.ts'
import { serve } from '../../harness/network/serve.ts'
import { volume } from '../../harness/volume.ts'
import {
  CENTRE,
  collecting,
  collectorOf,
  expectWhole,
  keysOf,
  keysWithin,
  onSite,
  placesWithReviews,
  taskOf,
} from './collecting.ts'
import { countRequests } from './request-counts.ts'

/** No name has an address. The simulated sites have addresses instead of names. */
const BROWSER = { rung: 'browser', open: sharedBrowser({ lookup: async () => [] }) } as const

/** Plain HTTP reads both in `npm test` (http-rung.test.ts). */
const PLACE_PAGES = (['request', 'embed'] as const).slice(0, volume(1, 2))

test.each(PLACE_PAGES)(
  'of a site whose pages %s their payload, Chromium finds all places and reads them exactly',
  async (placePages) => {
    const { city, search, collect } = await onSite({ placePages, gzip: true }, BROWSER)
    const { references, end } = await search()
    expect(end).toMatchObject({ kind: 'finished' })
    expect(keysOf(references)).toEqual(city.keysOf('bakery'))
    for (const reference of references) PlaceReference.parse(reference)
    const { places } = await collect(references.slice(0, 4))
    expect(keysOf(places)).toEqual(keysOf(references.slice(0, 4)))
    for (const place of places) Place.parse(place)
    expectWhole(city, places)
  },
)

test('a feed behind a consent wall in another language is scrolled to its end, without ads', async () => {
  const { city, search } = await onSite({ consent: true, ads: true }, { ...BROWSER, places: 600 })
  expect(keysOf((await search({ language: 'de' })).references)).toEqual(city.keysOf('bakery'))
  expect((await search({ depth: 2 })).references.length).toBe(40)
})

test('what a page lists is passed on while the page is scrolled on', async () => {
  const { site, collector } = await onSite({}, { ...BROWSER, places: 564 })
  const searches: number[] = []
  const sink = {
    place: async () => undefined,
    references: async () => void searches.push(site.requests().kinds['search-payload'] ?? 0),
    input: () => undefined,
    cells: () => undefined,
  }
  await collector.collect(taskOf({ kind: 'discover', keyword: 'bakery' }), sink, new AbortController().signal)
  expect(searches[0]).toBeLessThan(site.requests().kinds['search-payload'] ?? 0)
})

test('a search with one match returns that place', async () => {
  const { city, run } = await onSite({}, BROWSER)
  const { title, place_key } = city.place(3)
  expect(keysOf((await run(taskOf({ kind: 'discover', keyword: title }))).references)).toEqual([place_key])
})

test.each(['https', 'http'])('in Chromium a %s site whose name has no address is unreachable', async (scheme) => {
  const { run } = collecting({ mapsBaseUrl: `${scheme}://maps.example`, ...BROWSER })
  const message = expect.stringContaining('cannot be reached')
  const { end } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(end).toMatchObject({ kind: 'failed', code: 'source_unavailable', message })
})

test('fast mode reads the payloads that the page asks for itself', async () => {
  const { city, search } = await onSite({ blockPlainHttp: true }, { ...BROWSER, places: 360 })
  expect(keysOf((await search({ fast_mode: true, max_reviews: 0 })).places)).toEqual(city.keysOf('bakery'))
})

test.each([30, 500])('at most %i reviews are the same on both rungs, newest first', async (max_reviews) => {
  const { site, city, collect } = await onSite({}, BROWSER)
  // More than one page of twenty, and not many.
  const wanted = placesWithReviews(city, 41, 70)
  const [index = -1] = wanted
  const inline = new Set(city.place(index, { language: 'de' }).user_reviews?.map(({ id }) => id))
  const newest = city.reviews(index, 'newest', { language: 'de' }).filter(({ id }) => !inline.has(id))
  const truth = newest.slice(0, max_reviews - inline.size).map(comparableReview)
  for (const collectOn of [collectorOf(site).collect, collect]) {
    const { places } = await collectOn(wanted, { max_reviews, language: 'de' })
    expect(places[0]?.user_reviews_extended?.map(comparableReview)).toEqual(truth)
  }
})

// One list by relevance comes with the page; sorted lists have ten reviews each.
test.each([
  [8, 0, 0],
  [60, 1, 7],
  [500, 1, 51],
])('%i reviews of a place take more pages: %i, and lists: %i', async (max_reviews, pages, lists) => {
  const { site, city, collect } = await onSite({}, BROWSER)
  const wanted = placesWithReviews(city, 600, 100_000)
  await collect(wanted, { max_reviews: 0 })
  const before = site.requests().kinds['place-page'] ?? 0
  const { places } = await collect(wanted, { max_reviews })
  const { user_reviews = [], user_reviews_extended = [] } = places[0] ?? {}
  expect(user_reviews.length + user_reviews_extended.length).toBe(max_reviews)
  const { kinds } = site.requests()
  expect({ pages: (kinds['place-page'] ?? 0) - before, lists: kinds.reviews ?? 0 }).toEqual({ pages, lists })
})

test.each(['relevant', 'lowest'] as const)('the page is told to sort by %s', async (reviews_sort) => {
  const { city, collect } = await onSite({}, BROWSER)
  const [index = -1] = placesWithReviews(city, 41, 70)
  const { places } = await collect([index], { max_reviews: 500, reviews_sort })
  const inline = new Set(places[0]?.user_reviews?.map(({ id }) => id))
  const wanted = city.reviews(index, reviews_sort).filter(({ id }) => !inline.has(id))
  expect(places[0]?.user_reviews_extended?.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
})

test('a limited view is reported', async () => {
  const { city, search } = await onSite({ limited: true }, BROWSER)
  const { end, references } = await search()
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 1 } })
  expect(keysOf(references)).toEqual(city.keysOf('bakery'))
})

test('a rate-limited address is reported as blocked, not as empty', async () => {
  const blockAfter = (requests: number) =>
    onSite({ rateLimit: { requests, windowMs: 600_000, blockMs: 600_000 } }, { ...BROWSER, snoozes: 0 })
  const one = await blockAfter(2) // the front page and that of the search, no payload
  expect((await one.search()).end).toMatchObject({ kind: 'snoozed', outcomes: { empty: 0 } })
  const two = await blockAfter(1) // the front page, no place
  expect((await two.collect([1])).end).toMatchObject({ kind: 'snoozed' })
})

test('a page that fails now and then is opened again', async () => {
  const { city, collect } = await onSite({ failureRate: 0.1 }, BROWSER)
  const { places, end } = await collect(city.search('bakery').slice(0, 10))
  expect(end).toMatchObject({ kind: 'finished' })
  expect(places.length).toBeGreaterThanOrEqual(8)
})

test.each([false, true])('Chromium searches an area the same way (fast mode: %s)', async (fast_mode) => {
  const { city, search } = await onSite({}, { ...BROWSER, places: 480 })
  const found = await search({ ...CENTRE, radius: 5_000, max_reviews: 0, fast_mode })
  expect(keysOf(fast_mode ? found.places : found.references)).toEqual(keysWithin(city, 5_000))
})

test('Chromium opens one place per page, requests the others from there, and loads no images', async () => {
  const { collect, search } = await countRequests({ ...BROWSER, places: 120 })
  expect(search).toMatchObject({ 'maps-page': 1, 'search-page': 1 })
  expect(collect).toMatchObject({ 'place-page': expect.any(Number), 'place-payload': 10 })
  expect(collect.image).toBeUndefined()
})

test('Chromium reports a page that nobody knows, as plain HTTP does', async () => {
  const unread: Answer[] = []
  const wall = await serve((_, response) => {
    response
      .writeHead(418, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Prove that you are kind</title>')
  })
  const { run } = collecting({
    mapsBaseUrl: wall.url,
    ...BROWSER,
    snoozes: 0,
    onUnknown: (answer) => unread.push(answer),
  })
  const { end } = await run(taskOf({ kind: 'discover', keyword: 'restaurant' }))
  expect(end.kind).not.toBe('finished')
  const reported = unread.filter(({ url }) => new URL(url).pathname.startsWith('/maps/search/restaurant'))
  expect(reported[0]).toMatchObject({ status: 418, text: expect.stringContaining('Prove that you are kind') })
})

test('Chromium reports nothing of a site whose answers it knows', async () => {
  const unread: Answer[] = []
  const { search } = await onSite({}, { ...BROWSER, places: 30, onUnknown: (answer) => unread.push(answer) })
  expect(await search({ depth: 1 })).toMatchObject({ end: { kind: 'finished' } })
  expect(unread).toEqual([])
})
