import { readFileSync } from 'node:fs'
import { createCity } from '@placefleet/deploy/simulation/map-site/city'
import { CATEGORIES } from '@placefleet/deploy/simulation/map-site/city/categories'
import { distanceMetres, plusCodeOf } from '@placefleet/deploy/simulation/map-site/city/geography'
import { placeIdOf } from '@placefleet/deploy/simulation/map-site/city/identifiers'
import { wordsIn } from '@placefleet/deploy/simulation/map-site/city/search'
import { Place } from '@placefleet/shared/place'
import { Review } from '@placefleet/shared/review'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const city = createCity({ seed: 7, places: 3000 })
const everywhere = Array.from({ length: city.size }, (_, index) => index)

test('the same seed gives the same places, another seed gives others', () => {
  const again = createCity({ seed: 7, places: 3000 })
  const other = createCity({ seed: 8, places: 3000 })
  for (const index of [0, 17, 2999]) {
    expect(again.place(index, { emails: true })).toEqual(city.place(index, { emails: true }))
    expect(other.place(index).place_key).not.toBe(city.place(index).place_key)
  }
})

test('a place does not depend on how many others there are', () => {
  expect(createCity({ seed: 7, places: 100_000 }).place(2999)).toEqual(city.place(2999))
})

test('every id leads back to its place, for any seed', () => {
  fc.assert(
    fc.property(fc.nat(0xffff_ffff), fc.nat(99_999), (seed, index) => {
      const large = createCity({ seed, places: 100_000 })
      const { dataId, placeId, cid } = large.details(index).ids
      expect([dataId, placeId, cid].map(large.indexOf)).toEqual([index, index, index])
    }),
    { numRuns: 50 },
  )
})

test('ids and codes are computed as on the real site', () => {
  expect(placeIdOf(0x14e732fd76f0d90dn, 0xe5415928d6702b47n)).toBe('ChIJDdnwdv0y5xQRRytw1ihZQeU')
  expect(plusCodeOf({ lat: 34.6705954, lon: 33.0424567 })).toBe('8G6MM2CR+6X')
})

test('unknown ids lead nowhere', () => {
  expect(['0x1:0x2', '12', 'ChIJDdnwdv0y5xQRRytw1ihZQeU', '', 'x'].map(city.indexOf)).toEqual(Array(5).fill(undefined))
})

test('a title names its own category and no other', () => {
  const words = new Set(CATEGORIES.map(({ word }) => word.toLowerCase()))
  for (const index of everywhere)
    expect(wordsIn(city.details(index).title).filter((word) => words.has(word))).toEqual([
      CATEGORIES[index % 12]?.word.toLowerCase(),
    ])
})

test.each([
  ['bakery', 3],
  ['Bakeries in Berlin', 3],
  ['RESTAURANTS', 0],
  ['coffee shops', 2],
  ['Zahnarzt', 6],
  ['Hôtels', 5],
])('the keyword %s finds only places of its category', (keyword, category) => {
  const found = city.search(keyword)
  expect(found).toHaveLength(120)
  expect(new Set(found).size).toBe(120)
  for (const index of found) expect(index % 12).toBe(category)
})

test('in a small city a keyword finds all places of its category', () => {
  const small = createCity({ seed: 3, places: 600 })
  expect(small.search('gym').toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, nth) => 10 + 12 * nth))
})

test('a whole title finds one place, words of a name all that have them, and anything else none', () => {
  for (const index of [0, 17, 431, 2999]) expect(city.search(city.details(index).title)).toEqual([index])
  for (const index of city.search('luna bakery')) expect(city.details(index).title).toMatch(/Luna.*Bakery/)
  expect(city.search('submarine')).toEqual([])
  expect(city.search('')).toEqual([])
})

test('by distance the nearest places come first', () => {
  const here = { lat: 52.47, lon: 13.3 }
  const found = city.search('bar', here, { order: 'distance', most: 120 })
  const metres = found.map((index) => distanceMetres(here, city.details(index).location))
  expect(metres).toEqual(metres.toSorted((a, b) => a - b))
  expect(city.keysOf('bar', here)).not.toEqual(city.keysOf('bar'))
})

test('pages show every place found, some twice', () => {
  const shown = city.pages('bar')
  expect(new Set(shown)).toEqual(new Set(city.search('bar')))
  expect(shown.length).toBeGreaterThan(120)
})

test('every expected place and review is one that the product accepts', () => {
  for (let index = 0; index < 300; index++)
    for (const language of ['en', 'de']) {
      const place = city.place(index, { language, emails: true })
      expect(Place.parse(place)).toEqual(place)
    }
  for (const review of city.reviews(12)) expect(Review.parse(review)).toEqual(review)
})

test('half of the places have their own website, the rest are spread over the other tiers', () => {
  const counts = Map.groupBy(everywhere, city.tier)
  const share = (tier: Parameters<typeof counts.get>[0]) => (counts.get(tier)?.length ?? 0) / city.size
  expect(share('has')).toBeGreaterThan(0.45)
  expect(share('has')).toBeLessThan(0.55)
  for (const tier of ['none', 'social', 'directory', 'builder', 'booking'] as const)
    expect(share(tier)).toBeGreaterThan(0.07)
})

describe('websites on platforms', () => {
  const hosts: Record<string, string[]> = JSON.parse(
    readFileSync(new URL('../../shared/web-presence/hosts.json', import.meta.url), 'utf8'),
  )
  const isListed = (tier: string, host: string) =>
    hosts[tier]?.some((entry) => {
      const brand = entry.endsWith('.*') ? entry.slice(0, -1) : undefined
      return brand ? `.${host}`.includes(`.${brand}`) : `.${host}`.endsWith(`.${entry}`)
    })
  test.each(['social', 'directory', 'builder', 'booking'])('of tier %s stand on a host of its list', (tier) => {
    for (const index of everywhere.slice(0, 600)) {
      const { web } = city.details(index)
      if (web.tier === tier && web.url) expect(isListed(tier, new URL(web.url).hostname), web.url).toBe(true)
    }
  })
})
