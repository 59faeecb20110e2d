import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { expectWhole, keysOf, onSite } from './collecting.ts'

/** Collects every place of a search over plain HTTP. */
async function collected(options: Partial<SiteOptions>) {
  const { site, city, search, collect } = await onSite(options)
  const { places, end } = await collect((await search()).references)
  expect(keysOf(places)).toEqual(city.keysOf('bakery'))
  expect(end.kind).toBe('finished')
  return { site, city, places, limited: end.outcomes.limited }
}

test('without the front page, payloads are requested without a cookie, and their gaps count as limited', async () => {
  const { site, limited } = await collected({ outages: { 'maps-page': 503 } })
  expect(limited).toBeGreaterThan(0)
  expect(site.requests().kinds['search-page']).toBeUndefined()
})

test('most places are whole although the site trims every other answer, and the others say that they are not', async () => {
  const { city, places, limited } = await collected({ trimShares: { withNid: 0.5, withoutNid: 1 } })
  const whole = places.filter((place) => place.limited === undefined)
  expectWhole(city, whole)
  expect(whole.length).toBeGreaterThan(places.length * 0.6)
  expect(limited).toBe(places.length - whole.length)
})

test.each(([503, 403, 410] as const).slice(0, volume(1, 3)))(
  'a place whose payload ends with %i comes from a search, and counts as limited',
  async (status) => {
    const { city, places, limited } = await collected({ outages: { 'place-payload': status } })
    const truth = places.map(({ place_key }) => city.place(city.indexOf(place_key) ?? -1))
    expect(places).toMatchObject(truth.map(({ title, latitude, address }) => ({ title, latitude, address })))
    expect(limited).toBe(places.filter((place) => place.limited !== undefined).length)
    expect(limited).toBeGreaterThan(truth.filter(({ rating }) => rating !== undefined).length * 0.8)
  },
)

test('a place without a rating that comes from a search lacks no reviews, so it is requested once', async () => {
  const { site, city, collect } = await onSite({ outages: { 'place-payload': 503, 'place-page': 503 } })
  const unrated = Array.from({ length: 120 }, (_, index) => city.place(index)).filter((place) => !place.rating)
  const references = unrated
    .slice(0, 6)
    .map(({ place_key, title, latitude, longitude }) => ({ place_key, title, latitude, longitude }))
  const { places, end } = await collect(references, { max_reviews: 50, max_images: 0 })
  expect(places).toHaveLength(6)
  expect(end.outcomes.limited).toBe(0)
  expect(site.requests().kinds['search-payload']).toBe(6)
})
