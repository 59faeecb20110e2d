import { createCity } from '@placefleet/deploy/simulation/map-site/city'
import { CATEGORIES } from '@placefleet/deploy/simulation/map-site/city/categories'
import { placeIdOf } from '@placefleet/deploy/simulation/map-site/city/identifiers'
import { wordsIn } from '@placefleet/deploy/simulation/map-site/city/search'
import { EMAIL_METHODS } from '@placefleet/deploy/simulation/map-site/city/website'
import { pageAt } from '@placefleet/deploy/simulation/websites/pages'
import { Place } from '@placefleet/shared/place'
import { Review } from '@placefleet/shared/review'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const city = createCity({ seed: 7, places: 3000 })
const everywhere = Array.from({ length: city.size }, (_, index) => index)

test('a place depends only on the seed and its number', () => {
  expect(createCity({ seed: 7, places: 100_000 }).place(2999)).toEqual(city.place(2999))
  expect(createCity({ seed: 8, places: 3000 }).place(2999).place_key).not.toBe(city.place(2999).place_key)
})

test('every id leads back to its place, for any seed, and unknown ones nowhere', () => {
  fc.assert(
    fc.property(fc.nat(0xffff_ffff), fc.nat(99_999), (seed, index) => {
      const large = createCity({ seed, places: 100_000 })
      const { dataId, placeId, cid } = large.details(index).ids
      expect([dataId, placeId, cid].map(large.indexOf)).toEqual([index, index, index])
    }),
    { numRuns: 50 },
  )
  expect(['0x1:0x2', '12', 'ChIJDdnwdv0y5xQRRytw1ihZQeU', '', 'x'].map(city.indexOf)).toEqual(Array(5).fill(undefined))
})

test('ids are computed as on the real site', () => {
  expect(placeIdOf(0x14e732fd76f0d90dn, 0xe5415928d6702b47n)).toBe('ChIJDdnwdv0y5xQRRytw1ihZQeU')
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
  expect(new Set(found).size).toBe(120)
  for (const index of found) expect(index % 12).toBe(category)
})

test('a whole title finds one place, words of a name all that have them, and anything else none', () => {
  for (const index of [0, 17, 431, 2999]) expect(city.search(city.details(index).title)).toEqual([index])
  for (const index of city.search('luna bakery')) expect(city.details(index).title).toMatch(/Luna.*Bakery/)
  expect([...city.search('submarine'), ...city.search('')]).toEqual([])
})

test('pages show every place found, some twice', () => {
  const shown = city.pages('bar')
  expect(new Set(shown)).toEqual(new Set(city.search('bar')))
  expect(shown.length).toBeGreaterThan(120)
})

test('every expected place and review is one that the product accepts', () => {
  for (const language of ['en', 'de']) {
    for (let index = 0; index < 300; index++) Place.strict().parse(city.place(index, { language, emails: true }))
    for (const review of city.reviews(12, 'newest', { language })) Review.strict().parse(review)
  }
})

test('websites stand on hosts of their tier, and each tier occurs', () => {
  const tiers = Map.groupBy(everywhere.slice(0, 600), (index) => city.details(index).web.tier)
  expect([...tiers.keys()].sort()).toEqual(['booking', 'builder', 'directory', 'has', 'none', 'social'])
  for (const [tier, indexes] of tiers)
    for (const index of indexes)
      expect([index, classifyWebsite(city.details(index).web.url).tier]).toEqual([index, tier])
})

test.each(EMAIL_METHODS)(
  'a website that shows its addresses by %s has them in plain text only where it says',
  (method) => {
    const index = everywhere.find((index) => city.website(index)?.method === method) ?? -1
    const website = city.website(index)
    if (!website) throw new Error('no such website')
    const home = pageAt(website, 'Title', '/') ?? ''
    const shown = (page: string) => website.emails.some((email) => page.includes(email))
    expect(shown(home)).toBe(['mailto', 'json-ld', 'two-pages'].includes(method))
    const pages = [...home.matchAll(/<a href="(\/[^"]*)"/g)].map(
      ([, path = '']) => pageAt(website, 'Title', path) ?? '',
    )
    expect(pages.some(shown)).toBe(['mailto', 'json-ld', 'two-pages', 'contact-page', 'imprint-page'].includes(method))
  },
)
