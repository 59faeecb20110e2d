import { REFUSAL_FORMS } from '@placefleet/deploy/simulation/map-site/modes'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import type { TaskParameters } from '@placefleet/shared/protocol'
import { expect, test } from 'vitest'
import { collecting, keysOf, mapSite, taskOf } from './collecting.ts'

const PLACES = 564
const HERE = { latitude: 52.52, longitude: 13.405 }

/** Searches a city of 47 bakeries over plain HTTP on a site of these habits. */
async function searched(options: Partial<SiteOptions>, keyword = 'bakery', parameters: Partial<TaskParameters> = {}) {
  const site = await mapSite(options, PLACES)
  // The site may lead to its consent page's own origin.
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', allowHosts: new Set(['127.0.0.1']) })
  const { end, references } = await run(taskOf({ kind: 'discover', keyword }, { parameters }))
  return { end, keys: keysOf(references), truth: site.city.keysOf(keyword), site }
}

const HABITS: [string, Partial<SiteOptions>][] = [
  ['pages in the middle are short', { shortPages: 1 }],
  ['the first page comes again after the end', { afterEnd: 'first-page' }],
  ['the order is by relevance', { order: 'relevance' }],
  ['offset 0 is answered with nothing when it is sent', { offsetZero: 'empty-when-sent' }],
  ['offset 0 is answered with nothing when it is not sent', { offsetZero: 'empty-when-absent' }],
  ['one in four later pages is empty', { emptySearches: { first: 0, later: 0.25 } }],
  ['later pages come only for a position', { pagesNeedViewport: true }],
  ['half of the first pages are empty', { emptySearches: { first: 0.5, later: 0 } }],
  [
    'pages are short or empty, and each answer leaves out places',
    { shortPages: 0.3, emptySearches: { first: 0.2, later: 0.15 }, flicker: 0.1 },
  ],
  ['similar places and ads stand beside the results', { similar: true, ads: true }],
  ['the consent page has an origin of its own', { consent: true, consentElsewhere: true }],
]

test.each(REFUSAL_FORMS)('a refusal of the form %s is named as one', async (refusalForm) => {
  const site = await mapSite({ blocked: 'everyone', refusalForm }, PLACES)
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', snoozes: 0 })
  const { end } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(end).toMatchObject({ kind: 'snoozed', reason: 'blocked', outcomes: { empty: 0 } })
})

test.each(HABITS)('every place is found where %s', async (_, options) => {
  const { end, keys, truth } = await searched(options)
  expect(keys).toEqual(truth)
  expect(end).toMatchObject({ kind: 'finished', outcomes: { empty: 0, limited: 0 } })
})

test.each<[string, Partial<SiteOptions>, number]>([
  ['the last page comes only where it is full', { lastPage: 'full' }, 0.97],
  ['each answer leaves out places that others show, and nothing tells', { flicker: 0.143 }, 0.8],
])('most places are found where %s', async (_, options, share) => {
  const { end, keys, truth } = await searched(options)
  expect(keys.length).toBeGreaterThanOrEqual(share * truth.length)
  expect(truth).toEqual(expect.arrayContaining(keys))
  expect(end).toMatchObject({ kind: 'finished', outcomes: { empty: 0, limited: 0 } })
})

test('answers for a place of the same latitude far away are not taken', async () => {
  const { keys, truth, end } = await searched({ wrongPlace: 0.3 }, 'bakery', HERE)
  expect(keys).toEqual(truth)
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 0 } })
})

test('a site that always answers for another area is waited for, and its places are dropped', async () => {
  const { keys, end } = await searched({ wrongPlace: 1 }, 'bakery', HERE)
  expect(keys).toEqual([])
  expect(end).toMatchObject({ kind: 'snoozed', reason: 'unknown', outcomes: { empty: 0, broken: 0 } })
})

test('more than 120 places are paged for by offset', async () => {
  const site = await mapSite({ mostResults: 219 }, 3_000)
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const { references } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
  expect(references).toHaveLength(219)
})

test('an empty result counts if the same client finds restaurants', async () => {
  const { end, site } = await searched({}, 'submarine')
  expect(end).toMatchObject({ kind: 'finished', outcomes: { empty: 1, limited: 0 } })
  expect(site.requests().kinds['maps-page']).toBe(1)
})

test('an empty result does not count if the site shows the identity nothing', async () => {
  const emptySearches = { first: 1, later: 1 } as const
  const { end } = await searched({ emptySearches }, 'submarine')
  expect(end).toMatchObject({ kind: 'finished', outcomes: { empty: 0, limited: 1 } })
})

test.each([
  [undefined, true],
  ['de', false],
])('with country %s and an exit of another country, addresses end with the country: %s', async (country, ends) => {
  const site = await mapSite({ exitCountries: { '127.0.0.1': 'FR' } })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const parameters = { fast_mode: true, max_reviews: 0, country }
  const { places } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }, { parameters }))
  const addresses = places.flatMap(({ address }) => address ?? [])
  expect(addresses.length).toBeGreaterThan(0)
  for (const address of addresses) expect(address.endsWith(', Germany')).toBe(ends)
})
