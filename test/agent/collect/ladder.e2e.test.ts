import { expect, test } from 'vitest'
import { sharedBrowser } from '../../harness/browser.ts'
import { collectorOf, expectWhole, keysOf, onSite, placesWithReviews } from './collecting.ts'

const WITH_CHROMIUM = { rung: 'auto', open: sharedBrowser() } as const

test('if plain HTTP gets trimmed places, Chromium gets whole ones without a wait', async () => {
  const { city, collect } = await onSite({ trimPlainHttp: true }, { ...WITH_CHROMIUM, snoozes: 0 })
  const keys = city.keysOf('bakery').slice(0, 6)
  const { places, end } = await collect(keys.map((place_key) => ({ place_key })))
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 0 } })
  expect(keysOf(places)).toEqual(keys.toSorted())
  expectWhole(city, places)
})

test.each([false, true])(
  'where the address of searches is gone, its pages are read in Chromium (fast mode: %s)',
  async (fast_mode) => {
    const { city, search } = await onSite({ searchAddress: 'unknown' }, { ...WITH_CHROMIUM, places: 120 })
    const { places, references, end } = await search({ fast_mode })
    expect(end.kind).toBe('finished')
    expect(keysOf(fast_mode ? places : references)).toEqual(city.keysOf('bakery'))
  },
)

test('a site that answers only its own page is read in Chromium, and the next task begins there', async () => {
  const { site, city, search, collect } = await onSite({ blockPlainHttp: true }, WITH_CHROMIUM)
  const found = await search()
  expect(found.end).toMatchObject({ kind: 'finished', outcomes: { blocked: 0 } })
  expect(keysOf(found.references)).toEqual(city.keysOf('bakery'))
  site.resetRequests()
  const first = await collect(found.references.slice(0, 2))
  const blocked = site.requests().refused.blocked['place-payload']
  const second = await collect(found.references.slice(2, 4))
  expectWhole(city, [...first.places, ...second.places])
  expect(first.places.length + second.places.length).toBe(4)
  expect(site.requests().refused.blocked['place-payload']).toBe(blocked)
})

test('a door that wants scripts is left for Chromium with the first answer, and the exit does not rest', async () => {
  const exits = { pace: undefined, inFlight: 1, restMs: 600_000 }
  const wantsScripts = { blockPlainHttp: true, refusalForm: 'enablejs' } as const
  const { site, city, search } = await onSite(wantsScripts, { ...WITH_CHROMIUM, exits, snoozes: 0 })
  const { references, end } = await search()
  expect(end).toMatchObject({ kind: 'finished', outcomes: { blocked: 0 } })
  expect(keysOf(references)).toEqual(city.keysOf('bakery'))
  expect(site.requests().refused.blocked['search-payload']).toBe(1)
})

test('an open site is never asked by Chromium', async () => {
  const { site, search, collect } = await onSite({}, WITH_CHROMIUM)
  await collect((await search()).references.slice(0, 10))
  expect(site.requests().kinds.asset).toBeUndefined()
})

test('a page with failing reviews is left after its own retry, and Chromium is spared after two of them in vain', async () => {
  const { site, city, collect } = await onSite({ outages: { reviews: 503 } }, WITH_CHROMIUM)
  const reviewed = placesWithReviews(city, 41, 119, 4)
  const { places, end } = await collect(reviewed, { max_reviews: 500 })
  expect(keysOf(places)).toEqual(keysOf(reviewed.map((index) => city.place(index))))
  expect(end.outcomes.limited).toBe(4)
  // Three places are collected at once, and all of them may open a page before two were in vain.
  expect(site.requests().kinds['place-page']).toBeLessThanOrEqual(4)
})

test('a list of reviews that is closed to plain HTTP is read in Chromium', async () => {
  const { site, city, collect } = await onSite({ localBoq: 'forbidden' })
  const [index = -1] = placesWithReviews(city, 41, 119)
  const plain = await collect([index], { max_reviews: 500 })
  expect(plain.end).toMatchObject({ kind: 'finished', outcomes: { limited: 1 } })
  expect(plain.places[0]?.user_reviews?.length).toBe(8)
  const { places, end } = await collectorOf(site, WITH_CHROMIUM).collect([index], { max_reviews: 500 })
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 0 } })
  const { user_reviews = [], user_reviews_extended = [] } = places[0] ?? {}
  expect(user_reviews.length + user_reviews_extended.length).toBe(city.reviews(index, 'newest').length)
})

test('a list of reviews that ends far below the count of its place is cut, so Chromium is asked', async () => {
  const { site, city, collect } = await onSite({ reviewsCut: 18 }, WITH_CHROMIUM)
  const { end, places } = await collect(placesWithReviews(city, 60, 200), { max_reviews: 50 })
  expect(site.requests().kinds['place-page']).toBe(1)
  expect(places).toHaveLength(1)
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 1 } })
})
