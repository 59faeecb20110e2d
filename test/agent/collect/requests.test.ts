import { expect, test } from 'vitest'
import { BAD_DAY } from '../../bench/hostile/cases.ts'
import { type Counted, countRequests, type Scenario } from './request-counts.ts'

// The city has 40 bakeries, 21 of them with their own website. A task collects ten.
const SEARCH = { 'maps-page': 1, 'search-payload': 3 }
const PLACES = { 'place-payload': 40 }

test.each<[string, Scenario, Partial<Counted>]>([
  [
    'each place, one payload; all tasks of an exit, one front page',
    {},
    { stored: 40, search: SEARCH, collect: PLACES },
  ],
  [
    'the 8 reviews and the photos of the payload, nothing more',
    { parameters: { max_reviews: 8, max_images: 50 } },
    { collect: PLACES },
  ],
  ['reviews beyond those, pages of 60', { parameters: { max_reviews: 50 } }, { collect: { ...PLACES, reviews: 31 } }],
  [
    'reviews beyond those where the site refuses the list, two by the places that are collected at once',
    { parameters: { max_reviews: 50 }, site: { localBoq: 'forbidden' } },
    { collect: { ...PLACES, reviews: 2 } },
  ],
  [
    'websites, those of the businesses themselves only',
    { parameters: { include_emails: true } },
    { collect: PLACES, websitesVisited: 21 },
  ],
  [
    'websites asked for, none for the 9 places listed on platforms',
    { parameters: { website_filter: 'has_website', include_emails: true } },
    { listed: 31, stored: 21, collect: { 'place-payload': 31 }, websitesVisited: 21 },
  ],
  [
    'places without a website, none for those listed with one',
    { parameters: { website_filter: 'no_website' } },
    { listed: 19, stored: 19, collect: { 'place-payload': 19 } },
  ],
  [
    'filters, none for places whose row in the search decides',
    { parameters: { min_rating: 4.3, min_review_count: 50, categories: ['bakery'] } },
    { listed: 15, stored: 15, search: SEARCH, collect: { 'place-payload': 15 } },
  ],
  [
    'places with a phone, one each for those whose row has none',
    { parameters: { has_phone: true } },
    { listed: 40, stored: 35, collect: PLACES },
  ],
  [
    'places without a phone, none for those whose row has one',
    { parameters: { has_phone: false } },
    { listed: 5, stored: 5, collect: { 'place-payload': 5 } },
  ],
  [
    'a circle, none for places outside',
    { parameters: { latitude: 52.52, longitude: 13.405, radius: 4_000 } },
    {
      listed: 7,
      stored: 7,
      search: { 'maps-page': 1, 'search-payload': 3 },
      collect: { 'place-payload': 7 },
    },
  ],
  ['fast mode, only the search', { parameters: { fast_mode: true } }, { stored: 40, search: SEARCH, collect: {} }],
  [
    'fast mode with reviews, a page of them for each rated place',
    { parameters: { fast_mode: true, max_reviews: 20 } },
    { stored: 40, search: { ...SEARCH, reviews: 38 } },
  ],
])('requests for %s', async (_, scenario, expected) => {
  expect(await countRequests(scenario)).toMatchObject(expected)
})

test.each([
  ['25 places', 300, 2],
  ['100 places', 1_200, 6],
])('a search of %s, in a city of %i places, takes %i requests', async (_, places, requests) => {
  const { search } = await countRequests({ places, parameters: { fast_mode: true } })
  expect(search['search-payload']).toBe(requests)
})

test('an empty search takes three requests: it, it once more, and a test search', async () => {
  const { search, listed } = await countRequests({ keyword: 'zeppelin repair' })
  expect(listed).toBe(0)
  expect(search['search-payload']).toBe(3)
})

test('a bad day takes at most 2.5 requests a place, and at least 98 % of the places are stored', async () => {
  const { search, collect, stored } = await countRequests({ places: 564, site: BAD_DAY })
  const requests = [...Object.values(search), ...Object.values(collect)].reduce(
    (sum: number, count = 0) => sum + count,
    0,
  )
  expect(stored).toBeGreaterThanOrEqual(0.98 * 47)
  expect(requests / stored).toBeLessThanOrEqual(2.5)
})

test('a search ends when its places are enough for the job', async () => {
  const { search } = await countRequests({ places: 1_200, places_wanted: 10 })
  expect(search['search-payload']).toBe(2)
})
