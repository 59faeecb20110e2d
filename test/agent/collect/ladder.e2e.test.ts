import { expect, test } from 'vitest'
import { comparable } from '../../harness/agents/comparable.ts'
import { sharedBrowser } from '../../harness/browser.ts'
import { collecting, keysOf, mapSite, placesWithReviews, taskOf } from './collecting.ts'

const open = sharedBrowser()

test('if plain HTTP gets trimmed places, Chromium gets whole ones without a wait', async () => {
  const site = await mapSite({ trimPlainHttp: true })
  const { run } = collecting({ mapsBaseUrl: site.url, open, snoozes: 0 })
  const references = site.city.keysOf('bakery').slice(0, 6)
  const { places, end } = await run(
    taskOf({ kind: 'collect', references: references.map((place_key) => ({ place_key })) }),
  )
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 0 } })
  expect(keysOf(places)).toEqual(references.toSorted())
  for (const place of places) {
    expect(comparable(place)).toEqual(comparable(site.city.place(site.city.indexOf(place.place_key) ?? -1)))
  }
})

test.each([false, true])(
  'where the address of searches is gone, its pages are read in Chromium (fast mode: %s)',
  async (fast) => {
    const site = await mapSite({ searchAddress: 'unknown' }, 120)
    const { run } = collecting({ mapsBaseUrl: site.url, open })
    const task = taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters: { fast_mode: fast } })
    const { places, references, end } = await run(task)
    expect(end.kind).toBe('finished')
    expect(keysOf(fast ? places : references)).toEqual(site.city.keysOf('bakery'))
  },
)

test('a site that answers only its own page is read in Chromium, and the next task begins there', async () => {
  const site = await mapSite({ blockPlainHttp: true })
  const { run } = collecting({ mapsBaseUrl: site.url, open })
  const found = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(found.end).toMatchObject({ kind: 'finished', outcomes: { blocked: 0 } })
  expect(keysOf(found.references)).toEqual(site.city.keysOf('bakery'))
  site.resetRequests()
  const references = found.references.slice(0, 4)
  const first = await run(taskOf({ kind: 'collect', references: references.slice(0, 2) }))
  const blocked = site.requests().refused.blocked['place-payload']
  const second = await run(taskOf({ kind: 'collect', references: references.slice(2) }))
  for (const place of [...first.places, ...second.places]) {
    expect(comparable(place)).toEqual(comparable(site.city.place(site.city.indexOf(place.place_key) ?? -1)))
  }
  expect(first.places.length + second.places.length).toBe(4)
  expect(site.requests().refused.blocked['place-payload']).toBe(blocked)
})

test('a door that wants scripts is left for Chromium with the first answer, and the exit does not rest', async () => {
  const site = await mapSite({ blockPlainHttp: true, refusalForm: 'enablejs' })
  const exits = { pace: undefined, inFlight: 1, restMs: 600_000 }
  const { run } = collecting({ mapsBaseUrl: site.url, open, exits, snoozes: 0 })
  const found = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(found.end).toMatchObject({ kind: 'finished', outcomes: { blocked: 0 } })
  expect(keysOf(found.references)).toEqual(site.city.keysOf('bakery'))
  expect(site.requests().refused.blocked['search-payload']).toBe(1)
})

test('an open site is never asked by Chromium', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, open })
  const found = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  await run(taskOf({ kind: 'collect', references: found.references.slice(0, 10) }))
  expect(site.requests().kinds.asset).toBeUndefined()
})

test('a page with failing reviews is left after its own retry, and Chromium is spared after two of them in vain', async () => {
  const site = await mapSite({ outages: { reviews: 503 } })
  const reviewed = placesWithReviews(site.city, 41, 119, 4)
  const references = reviewed.map((index) => ({ place_key: site.city.place(index).place_key }))
  const { run } = collecting({ mapsBaseUrl: site.url, open })
  const { places, end } = await run(taskOf({ kind: 'collect', references }, { parameters: { max_reviews: 500 } }))
  expect(keysOf(places)).toEqual(keysOf(references))
  expect(end.outcomes.limited).toBe(4)
  // Three places are collected at once, and all of them may open a page before two were in vain.
  expect(site.requests().kinds['place-page']).toBeLessThanOrEqual(4)
})

test('a list of reviews that is closed to plain HTTP is read in Chromium', async () => {
  const site = await mapSite({ localBoq: 'forbidden' })
  const [index = -1] = placesWithReviews(site.city, 41, 119)
  const task = taskOf(
    { kind: 'collect', references: [{ place_key: site.city.place(index).place_key }] },
    { parameters: { max_reviews: 500 } },
  )
  const plain = await collecting({ mapsBaseUrl: site.url, rung: 'http' }).run(task)
  expect(plain.end).toMatchObject({ kind: 'finished', outcomes: { limited: 1 } })
  expect(plain.places[0]?.user_reviews?.length).toBe(8)
  const { places, end } = await collecting({ mapsBaseUrl: site.url, open }).run(task)
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 0 } })
  const [place] = places
  const count = (place?.user_reviews?.length ?? 0) + (place?.user_reviews_extended?.length ?? 0)
  expect(count).toBe(site.city.reviews(index, 'newest').length)
})

test('a list of reviews that ends far below the count of its place is cut, so Chromium is asked', async () => {
  const site = await mapSite({ reviewsCut: 18 })
  const { run } = collecting({ mapsBaseUrl: site.url, open })
  const [index = 0] = placesWithReviews(site.city, 60, 200)
  const { place_key } = site.city.place(index)
  const { end, places } = await run(
    taskOf({ kind: 'collect', references: [{ place_key }] }, { parameters: { max_reviews: 50 } }),
  )
  expect(site.requests().kinds['place-page']).toBe(1)
  expect(places).toHaveLength(1)
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 1 } })
})
