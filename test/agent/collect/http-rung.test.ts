import { Place } from '@placefleet/shared/place'
import { expect, test } from 'vitest'
import { comparableReview } from '../../harness/agents/comparable.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { collecting, keysOf, mapSite, placesWithReviews, taskOf } from './collecting.ts'
import { expectExactPlaces } from './exact-places.ts'

test.each(['request', 'embed'] as const)(
  'plain HTTP returns exactly the places of a site whose pages %s their payload',
  (placePages) => expectExactPlaces({ rung: 'http' }, placePages, 12),
)

test('a search of several pages returns each place once, up to 120', async () => {
  const site = await mapSite({ envelope: 'list', ads: true }, 2_000)
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const { references } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(keysOf(references)).toEqual(site.city.keysOf('bakery'))
  expect(references.length).toBe(120)
  const shallow = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters: { depth: 2 } }))
  expect(shallow.references.length).toBeLessThanOrEqual(40)
})

test('reviews beyond those of the page are paged for, newest first, up to the cap', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const [index = -1] = placesWithReviews(site.city, 61, 100_000)
  const truth = site.city.place(index)
  const work = { kind: 'collect', references: [{ place_key: truth.place_key }] } as const
  const { places } = await run(taskOf(work, { parameters: { max_reviews: 40, language: 'de' } }))
  const [place] = places
  const inline = site.city.place(index, { language: 'de' }).user_reviews ?? []
  const known = new Set(inline.map(({ id }) => id))
  const newest = site.city.reviews(index, 'newest', { language: 'de' }).filter(({ id }) => !known.has(id))
  expect(place?.user_reviews?.map(comparableReview)).toEqual(inline.map(comparableReview))
  expect(place?.user_reviews_extended?.map(comparableReview)).toEqual(
    newest.slice(0, 40 - inline.length).map(comparableReview),
  )
})

test('a cap of 0 collects nothing', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const references = [{ place_key: site.city.place(1).place_key }, { place_key: site.city.place(2).place_key }]
  const parameters = { max_reviews: 0, max_images: 0 }
  const { places } = await run(taskOf({ kind: 'collect', references }, { parameters }))
  expect(places.length).toBe(2)
  for (const place of places) {
    expect(place).not.toHaveProperty('images')
    expect(place).not.toHaveProperty('user_reviews')
    expect(place).not.toHaveProperty('user_reviews_extended')
  }
  expect(site.requests().kinds.reviews).toBeUndefined()
})

test('fast mode returns whole places from the search payloads, and skips stored ones', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const [stored = '', ...others] = site.city.keysOf('bakery')
  const task = taskOf(
    { kind: 'discover', keyword: 'bakery' },
    { parameters: { fast_mode: true }, stored_place_keys: [stored] },
  )
  const { places, end } = await run(task)
  expect(end).toMatchObject({ kind: 'finished' })
  expect(keysOf(places)).toEqual(others)
  for (const place of places) {
    Place.parse(place)
    const truth = site.city.place(site.city.indexOf(place.place_key) ?? -1)
    expect(place).toMatchObject({ title: truth.title, latitude: truth.latitude, categories: truth.categories })
  }
  expect(site.requests().kinds['place-payload']).toBeUndefined()
})

test('fast mode also collects requested reviews', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const task = taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters: { fast_mode: true, max_reviews: 5 } })
  const { places } = await run(task)
  for (const place of places) {
    const newest = site.city.reviews(site.city.indexOf(place.place_key) ?? -1, 'newest').slice(0, 5)
    expect(place.user_reviews_extended?.map(comparableReview) ?? []).toEqual(newest.map(comparableReview))
  }
  expect(site.requests().kinds['place-payload']).toBeUndefined()
})

test('a place counts as limited if the site cuts its reviews, but not if it has no more', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const withCount = (least: number, most: number) => {
    const [index = -1] = placesWithReviews(site.city, least, most)
    const references = [{ place_key: site.city.place(index).place_key }]
    return taskOf({ kind: 'collect', references }, { parameters: { max_reviews: 500 } })
  }
  expect((await run(withCount(20, 100))).end.outcomes.limited).toBe(0)
  site.setOptions({ reviewsCut: 120 })
  expect((await run(withCount(1_000, 20_000))).end.outcomes.limited).toBe(1)
  site.setOptions({ limited: true })
  const { places, end } = await collecting({ mapsBaseUrl: site.url, rung: 'http' }).run(withCount(20, 100))
  expect(places[0]?.user_reviews_extended?.length).toBe(5)
  expect(end.outcomes.limited).toBeGreaterThan(0)
})

test('the website filter and the radius drop places, which are counted', async () => {
  const site = await mapSite({}, 1_200)
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const centre = { latitude: 52.52, longitude: 13.405 }
  for (const fast_mode of [false, true]) {
    const parameters = { ...centre, radius: 3_000, website_filter: 'has_website', fast_mode, depth: 20 } as const
    const found = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters }))
    const collected = fast_mode
      ? found
      : await run(taskOf({ kind: 'collect', references: found.references }, { parameters }))
    const inside = site.city.search('bakery', { lat: 52.52, lon: 13.405 }).filter((index) => {
      const { latitude = 0, longitude = 0 } = site.city.place(index)
      const metres = Math.hypot(
        (latitude - 52.52) * 111_195,
        (longitude - 13.405) * 111_195 * Math.cos((52.52 * Math.PI) / 180),
      )
      return metres <= 3_000
    })
    const wanted = inside
      .filter((index) => site.city.details(index).web.tier === 'has')
      .map((index) => site.city.place(index))
    expect(keysOf(collected.places)).toEqual(keysOf(wanted))
    expect(found.end.outcomes.out_of_area).toBeGreaterThan(0)
    expect(found.end.outcomes.filtered + collected.end.outcomes.filtered).toBeGreaterThan(0)
  }
})

test('a search that finds nothing is empty, not failed', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const { end, references } = await run(taskOf({ kind: 'discover', keyword: 'zzqx nothing of that name' }))
  expect(end).toMatchObject({ kind: 'finished', outcomes: { empty: 1 } })
  expect(references).toEqual([])
})

test('a consent wall is passed by rejecting', async () => {
  const site = await mapSite({ consent: true })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const { references } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(keysOf(references)).toEqual(site.city.keysOf('bakery'))
})

test('all places are collected from a site that fails now and then', async () => {
  const site = await mapSite({ failureRate: 0.15 })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const found = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(keysOf(found.references)).toEqual(site.city.keysOf('bakery'))
  const { places } = await run(taskOf({ kind: 'collect', references: found.references.slice(0, 10) }))
  expect(places.length).toBeGreaterThanOrEqual(9)
})

test('on the HTTP rung a task waits while the site blocks plain HTTP', async () => {
  const site = await mapSite({ blockPlainHttp: true })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', snoozes: 1 })
  const search = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(search.end).toMatchObject({ kind: 'snoozed', outcomes: { empty: 0 } })
  const references = [{ place_key: site.city.place(1).place_key }]
  const collect = await run(taskOf({ kind: 'collect', references }))
  expect(collect.end).toMatchObject({ kind: 'snoozed' })
})

test('a trimmed answer is counted as limited, and handed over all the same', async () => {
  const site = await mapSite({ trimShares: { withNid: 1, withoutNid: 1 } })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const [rated = -1] = placesWithReviews(site.city, 11, 100_000)
  const { end, places } = await run(
    taskOf({ kind: 'collect', references: [{ place_key: site.city.place(rated).place_key }] }),
  )
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 1 } })
  expect(places.length).toBe(1)
})

test('a site that is not there fails the task as unavailable', async () => {
  const { run } = collecting({ mapsBaseUrl: `http://127.0.0.1:${await freePort()}`, rung: 'http' })
  const { end } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(end).toMatchObject({ kind: 'failed', code: 'source_unavailable' })
})

test('an aborted task stops at once', async () => {
  const site = await mapSite({ latencyMs: { min: 60_000, max: 60_000 } })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const stop = new AbortController()
  const running = run(taskOf({ kind: 'discover', keyword: 'bakery' }), stop.signal)
  stop.abort(new Error('job cancelled'))
  await expect(running).rejects.toThrow('job cancelled')
})
