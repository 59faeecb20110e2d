import { openNetwork } from '@placefleet/agent/collect/network'
import { Place, PlaceReference } from '@placefleet/shared/place'
import { expect, test } from 'vitest'
import { comparableReview } from '../../harness/agents/comparable.ts'
import { ownChromium } from '../../harness/chromiums.ts'
import { freePort } from '../../harness/network/free-port.ts'
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

test.each(['request', 'embed'] as const)(
  'of a site whose pages %s their payload, all places are found and read exactly',
  async (placePages) => {
    const { city, search, collect } = await onSite({ placePages, gzip: true })
    const { references, end } = await search()
    expect(end).toMatchObject({ kind: 'finished' })
    expect(keysOf(references)).toEqual(city.keysOf('bakery'))
    for (const reference of references) PlaceReference.parse(reference)
    const collected = await collect(references.slice(0, 12))
    expect(collected.end).toMatchObject({ kind: 'finished' })
    expect(keysOf(collected.places)).toEqual(keysOf(references.slice(0, 12)))
    for (const place of collected.places) Place.parse(place)
    expectWhole(city, collected.places)
  },
)

test('a search of several pages returns each place once, up to 120', async () => {
  const { city, search } = await onSite({ envelope: 'list', ads: true }, { places: 2_000 })
  const { references } = await search()
  expect(keysOf(references)).toEqual(city.keysOf('bakery'))
  expect(references.length).toBe(120)
  expect((await search({ depth: 2 })).references.length).toBeLessThanOrEqual(40)
})

test('reviews beyond those of the page are paged for, newest first, up to the cap', async () => {
  const { city, collect } = await onSite()
  const [index = -1] = placesWithReviews(city, 61, 100_000)
  const { places } = await collect([index], { max_reviews: 40, language: 'de' })
  const inline = city.place(index, { language: 'de' }).user_reviews ?? []
  const known = new Set(inline.map(({ id }) => id))
  const newest = city.reviews(index, 'newest', { language: 'de' }).filter(({ id }) => !known.has(id))
  expect(places[0]?.user_reviews?.map(comparableReview)).toEqual(inline.map(comparableReview))
  expect(places[0]?.user_reviews_extended?.map(comparableReview)).toEqual(
    newest.slice(0, 40 - inline.length).map(comparableReview),
  )
})

test('a cap of 0 collects nothing', async () => {
  const { site, collect } = await onSite()
  const { places } = await collect([1, 2], { max_reviews: 0, max_images: 0 })
  expect(places.length).toBe(2)
  for (const place of places) {
    for (const field of ['images', 'user_reviews', 'user_reviews_extended']) expect(place).not.toHaveProperty(field)
  }
  expect(site.requests().kinds.reviews).toBeUndefined()
})

test('fast mode returns whole places from the search payloads, with requested reviews, and skips stored ones', async () => {
  const { site, city, search } = await onSite()
  const [stored = '', ...others] = city.keysOf('bakery')
  const { places, end } = await search({ fast_mode: true, max_reviews: 5 }, { stored_place_keys: [stored] })
  expect(end).toMatchObject({ kind: 'finished' })
  expect(keysOf(places)).toEqual(others)
  for (const place of places) {
    Place.parse(place)
    const index = city.indexOf(place.place_key) ?? -1
    const { title, latitude, categories } = city.place(index)
    expect(place).toMatchObject({ title, latitude, categories })
    const newest = city.reviews(index, 'newest').slice(0, 5)
    expect(place.user_reviews_extended?.map(comparableReview) ?? []).toEqual(newest.map(comparableReview))
  }
  expect(site.requests().kinds['place-payload']).toBeUndefined()
})

test('a place counts as limited if the site cuts its reviews, but not if it has no more', async () => {
  const { site, city, collect } = await onSite()
  const few = placesWithReviews(city, 20, 100)
  expect((await collect(few, { max_reviews: 500 })).end.outcomes.limited).toBe(0)
  site.setOptions({ reviewsCut: 120 })
  expect((await collect(placesWithReviews(city, 1_000, 20_000), { max_reviews: 500 })).end.outcomes.limited).toBe(1)
  site.setOptions({ limited: true })
  const { places, end } = await collectorOf(site).collect(few, { max_reviews: 500 })
  expect(places[0]?.user_reviews_extended?.length).toBe(5)
  expect(end.outcomes.limited).toBeGreaterThan(0)
})

test.each([false, true])(
  'the website filter and the radius drop places, which are counted (fast mode: %s)',
  async (fast_mode) => {
    const { city, search, collect } = await onSite({}, { places: 1_200 })
    const parameters = { ...CENTRE, radius: 3_000, website_filter: 'has_website', fast_mode } as const
    const found = await search(parameters)
    const collected = fast_mode ? found : await collect(found.references, parameters)
    const wanted = keysWithin(city, 3_000).filter((key) => city.details(city.indexOf(key) ?? -1).web.tier === 'has')
    expect(keysOf(collected.places)).toEqual(wanted)
    expect(found.end.outcomes.out_of_area).toBeGreaterThan(0)
    expect(found.end.outcomes.filtered + collected.end.outcomes.filtered).toBeGreaterThan(0)
  },
)

test('a site that is not there fails the task as unavailable', async () => {
  const { run } = collecting({ mapsBaseUrl: `http://127.0.0.1:${await freePort()}`, rung: 'http' })
  const { end } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(end).toMatchObject({ kind: 'failed', code: 'source_unavailable' })
})

test('an aborted task stops at once', async () => {
  const { run } = await onSite({ latencyMs: { min: 60_000, max: 60_000 } })
  const stop = new AbortController()
  const running = run(taskOf({ kind: 'discover', keyword: 'bakery' }), stop.signal)
  stop.abort(new Error('job cancelled'))
  await expect(running).rejects.toThrow('job cancelled')
})

test('an agent whose network did not open opens it for the next task', async () => {
  let tries = 0
  const open: typeof openNetwork = (guard, settings) => {
    tries += 1
    return tries === 1 ? Promise.reject(new Error('no port is free')) : openNetwork(guard, settings, ownChromium())
  }
  const { city, search } = await onSite({}, { open })
  await expect(search()).rejects.toThrow('no port is free')
  expect(keysOf((await search()).references)).toEqual(city.keysOf('bakery'))
})
