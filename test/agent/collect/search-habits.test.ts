import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import type { TaskParameters } from '@placefleet/shared/protocol'
import { expect, test } from 'vitest'
import { CENTRE, keysOf, onSite, taskOf } from './collecting.ts'

/**
 * Searches a city of 47 bakeries over plain HTTP on a site of these habits, which may have a consent page elsewhere.
 */
async function searched(options: Partial<SiteOptions>, parameters: Partial<TaskParameters> = {}) {
  const { city, search } = await onSite(options, { places: 564, allowHosts: new Set(['127.0.0.1']), snoozes: 0 })
  const { end, references } = await search(parameters)
  return { end, keys: keysOf(references), truth: city.keysOf('bakery') }
}

test.each<[string, Partial<SiteOptions>]>([
  ['a consent page comes first', { consent: true }],
  ['the consent page has an origin of its own', { consent: true, consentElsewhere: true }],
  ['one request in seven fails', { failureRate: 0.15 }],
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
])('every place is found where %s', async (_, options) => {
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
  const { keys, truth, end } = await searched({ wrongPlace: 0.3 }, CENTRE)
  expect(keys).toEqual(truth)
  expect(end).toMatchObject({ kind: 'finished', outcomes: { limited: 0 } })
})

test('a site that always answers for another area is waited for, and its places are dropped', async () => {
  const { keys, end } = await searched({ wrongPlace: 1 }, CENTRE)
  expect(keys).toEqual([])
  expect(end).toMatchObject({ kind: 'snoozed', reason: 'unknown', outcomes: { empty: 0, broken: 0 } })
})

test.each([
  ['counts if the same client finds restaurants', {}, { empty: 1, limited: 0 }],
  [
    'does not count if the site shows the client nothing',
    { emptySearches: { first: 1, later: 1 } },
    { empty: 0, limited: 1 },
  ],
])('an empty result %s, which takes two more requests', async (_, options, outcomes) => {
  const { site, run } = await onSite(options)
  const { end, references } = await run(taskOf({ kind: 'discover', keyword: 'submarine' }))
  expect(references).toEqual([])
  expect(end).toMatchObject({ kind: 'finished', outcomes })
  expect(site.requests().kinds).toMatchObject({ 'maps-page': 1, 'search-payload': 3 })
})

test('more than 120 places are paged for by offset', async () => {
  const { search } = await onSite({ mostResults: 219 }, { places: 3_000 })
  expect((await search()).references).toHaveLength(219)
})

test.each([
  [undefined, true],
  ['de', false],
])('with country %s and an exit of another country, addresses end with the country: %s', async (country, ends) => {
  const { search } = await onSite({ exitCountries: { '127.0.0.1': 'FR' } })
  const { places } = await search({ fast_mode: true, max_reviews: 0, country })
  const addresses = places.flatMap(({ address }) => address ?? [])
  expect(addresses.length).toBeGreaterThan(0)
  for (const address of addresses) expect(address.endsWith(', Germany')).toBe(ends)
})
