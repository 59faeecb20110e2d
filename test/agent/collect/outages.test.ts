import type { MapSite } from '@placefleet/deploy/simulation/map-site/server'
import type { Place } from '@placefleet/shared/place'
import { expect, test } from 'vitest'
import { comparable } from '../../harness/agents/comparable.ts'
import { volume } from '../../harness/volume.ts'
import { collecting, keysOf, mapSite, taskOf } from './collecting.ts'

/** Collects every place of a search over plain HTTP. */
async function collected(site: MapSite) {
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const { references } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  const { places, end } = await run(taskOf({ kind: 'collect', references }))
  expect(keysOf(places)).toEqual(site.city.keysOf('bakery'))
  return { end, places }
}

function expectWhole(site: MapSite, places: readonly Place[]): void {
  const truth = places.map(({ place_key }) => site.city.place(site.city.indexOf(place_key) ?? -1))
  expect(places.map(comparable)).toEqual(truth.map(comparable))
}

test('without the front page, payloads are requested without a cookie, and their gaps count as limited', async () => {
  const site = await mapSite({ outages: { 'maps-page': 503 } })
  const { end } = await collected(site)
  expect(end).toMatchObject({ kind: 'finished' })
  expect(end.outcomes.limited).toBeGreaterThan(0)
  expect(site.requests().kinds['search-page']).toBeUndefined()
})

test('most places are whole although the site trims every other answer, and the others say that they are not', async () => {
  const site = await mapSite({ trimShares: { withNid: 0.5, withoutNid: 1 } })
  const { places, end } = await collected(site)
  const whole = places.filter(({ limited }) => limited === undefined)
  expectWhole(site, whole)
  expect(whole.length).toBeGreaterThan(places.length * 0.6)
  expect(end.outcomes.limited).toBe(places.length - whole.length)
})

test.each(([503, 403, 410] as const).slice(0, volume(1, 3)))(
  'a place whose payload ends with %i comes from a search, and counts as limited',
  async (status) => {
    const site = await mapSite({ outages: { 'place-payload': status } })
    const { places, end } = await collected(site)
    const truth = places.map(({ place_key }) => site.city.place(site.city.indexOf(place_key) ?? -1))
    expect(places).toMatchObject(truth.map(({ title, latitude, address }) => ({ title, latitude, address })))
    expect(end.outcomes.limited).toBe(places.filter(({ limited }) => limited !== undefined).length)
    const rated = truth.filter(({ rating }) => rating !== undefined)
    expect(end.outcomes.limited).toBeGreaterThan(rated.length * 0.8)
  },
)

test('a place without a rating that comes from a search lacks no reviews, so it is requested once', async () => {
  const site = await mapSite({ outages: { 'place-payload': 503, 'place-page': 503 } })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const unrated = Array.from({ length: 120 }, (_, index) => site.city.place(index)).filter((place) => !place.rating)
  const references = unrated
    .slice(0, 6)
    .map(({ place_key, title, latitude, longitude }) => ({ place_key, title, latitude, longitude }))
  expect(references.length).toBe(6)
  const { places, end } = await run(
    taskOf({ kind: 'collect', references }, { parameters: { max_reviews: 50, max_images: 0 } }),
  )
  expect(places).toHaveLength(6)
  expect(end.outcomes.limited).toBe(0)
  expect(site.requests().kinds['search-payload']).toBe(6)
})
