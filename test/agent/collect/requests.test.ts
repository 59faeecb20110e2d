import { expect, test } from 'vitest'
import { BAD_DAY } from '../../bench/hostile/cases.ts'
import { CENTRE } from './collecting.ts'
import { type Counted, countRequests, type Scenario } from './request-counts.ts'

// The city has 40 bakeries, 21 of them with their own website. A task collects ten.
const SEARCH = { 'maps-page': 1, 'search-payload': 3 }
const payloads = (count: number) => ({ 'place-payload': count })
const WITHOUT_LIST =
  'reviews beyond those where the site refuses the list, two by the places that are collected at once'

test.each<[string, Scenario['parameters'], Partial<Counted>, Scenario['site']?]>([
  [
    'each place, one payload; all tasks of an exit, one front page',
    {},
    { stored: 40, search: SEARCH, collect: payloads(40) },
  ],
  [
    'the 8 reviews and the photos of the payload, nothing more',
    { max_reviews: 8, max_images: 50 },
    { collect: payloads(40) },
  ],
  ['reviews beyond those, pages of 60', { max_reviews: 50 }, { collect: { ...payloads(40), reviews: 31 } }],
  [WITHOUT_LIST, { max_reviews: 50 }, { collect: { ...payloads(40), reviews: 2 } }, { localBoq: 'forbidden' }],
  [
    'websites, those of the businesses themselves only',
    { include_emails: true },
    { collect: payloads(40), websitesVisited: 21 },
  ],
  [
    'websites asked for, none for the 9 places listed on platforms',
    { website_filter: 'has_website', include_emails: true },
    { listed: 31, stored: 21, collect: payloads(31), websitesVisited: 21 },
  ],
  [
    'places without a website, none for those listed with one',
    { website_filter: 'no_website' },
    { listed: 19, stored: 19, collect: payloads(19) },
  ],
  [
    'filters, none for places whose row in the search decides',
    { min_rating: 4.3, min_review_count: 50, categories: ['bakery'] },
    { listed: 15, stored: 15, search: SEARCH, collect: payloads(15) },
  ],
  [
    'places with a phone, one each for those whose row has none',
    { has_phone: true },
    { listed: 40, stored: 35, collect: payloads(40) },
  ],
  [
    'places without a phone, none for those whose row has one',
    { has_phone: false },
    { listed: 5, stored: 5, collect: payloads(5) },
  ],
  [
    'a circle, none for places outside',
    { ...CENTRE, radius: 4_000 },
    { listed: 7, stored: 7, search: SEARCH, collect: payloads(7) },
  ],
  ['fast mode, only the search', { fast_mode: true }, { stored: 40, search: SEARCH, collect: {} }],
  [
    'fast mode with reviews, a page of them for each rated place',
    { fast_mode: true, max_reviews: 20 },
    { stored: 40, search: { ...SEARCH, reviews: 38 } },
  ],
])('requests for %s', async (_, parameters, expected, site) => {
  expect(await countRequests({ parameters, site })).toMatchObject(expected)
})

test.each([
  ['25 places', 300, 2],
  ['100 places', 1_200, 6],
])('a search of %s, in a city of %i places, takes %i requests', async (_, places, requests) => {
  const { search } = await countRequests({ places, parameters: { fast_mode: true } })
  expect(search['search-payload']).toBe(requests)
})

test('a bad day takes at most 2.5 requests a place, and at least 98 % of the places are stored', async () => {
  const { search, collect, stored } = await countRequests({ places: 564, site: BAD_DAY })
  const counts = [...Object.values(search), ...Object.values(collect)]
  const requests = counts.reduce((sum: number, count = 0) => sum + count, 0)
  expect(stored).toBeGreaterThanOrEqual(0.98 * 47)
  expect(requests / stored).toBeLessThanOrEqual(2.5)
})

test('a search ends when its places are enough for the job', async () => {
  const { search } = await countRequests({ places: 1_200, places_wanted: 10 })
  expect(search['search-payload']).toBe(2)
})
