import { expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { CENTRE, keysOf, keysWithin, onSite } from './collecting.ts'

const around = (radius: number) => ({ ...CENTRE, radius })
const ALL = { places_wanted: 10_000 }

test('a city of many thousand places is found completely within a radius', async () => {
  // By relevance a few places of a thousand stay behind others in every list.
  const { site, city, search } = await onSite({ order: 'distance' }, { places: volume(3_000, 96_000) })
  const truth = keysWithin(city, 9_000)
  expect(truth.length).toBeGreaterThan(volume(150, 5_000))
  const { references, end } = await search(around(9_000), ALL)
  expect(keysOf(references)).toEqual(truth)
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 0, empty: 0 } })
  expect(site.requests().kinds['search-payload']).toBeLessThan(truth.length * 0.4)
}, 240_000)

const AREAS = [
  { depth: 5, radius: 4_000, zoom: 0, fast_mode: false },
  { depth: 1, radius: 2_000, zoom: 0, fast_mode: true },
  { depth: 20, radius: 4_000, zoom: 18, fast_mode: true },
]

test.each(AREAS.slice(0, volume(2, 3)))(
  'an area is searched to its edge: $depth pages, $radius metres, zoom $zoom, fast $fast_mode',
  async (parameters) => {
    const { city, search } = await onSite({}, { places: volume(3_000, 24_000) })
    const found = await search({ ...CENTRE, ...parameters, max_reviews: 0 }, ALL)
    const keys = keysOf(parameters.fast_mode ? found.places : found.references)
    expect(keys).toEqual(keysWithin(city, parameters.radius))
  },
)

test('a search that shows everything is not followed by others', async () => {
  const { site, city, search } = await onSite({}, { places: 600 })
  const { references } = await search(around(20_000), ALL)
  expect(keysOf(references)).toEqual(keysWithin(city, 20_000))
  expect(site.requests().kinds['search-payload']).toBeLessThanOrEqual(6)
})

test('an area is searched no further than the job can take', async () => {
  const { search } = await onSite({}, { places: volume(6_000, 24_000) })
  const { references } = await search(around(10_000), { places_wanted: 50 })
  expect(references.length).toBeGreaterThan(100)
  expect(references.length).toBeLessThanOrEqual(120)
  const filtered = await search({ ...around(10_000), website_filter: 'has_website' }, { places_wanted: 20 })
  expect(filtered.end.outcomes.filtered).toBeGreaterThan(0)
  expect(filtered.references.length).toBeLessThan(120)
})

test('a listed place without a website is no certain match, so a filtered search goes on', async () => {
  const { search } = await onSite({}, { places: 3_000 })
  const wanted = { ...around(9_000), website_filter: 'no_website' } as const
  const whole = await search(wanted, ALL)
  const certain = whole.references.filter(({ website }) => website !== undefined).length
  expect(whole.references.length).toBeGreaterThan(certain + 10)
  const few = await search(wanted, { places_wanted: Math.ceil(certain / 2) })
  expect(keysOf(few.references)).toEqual(keysOf(whole.references))
})
