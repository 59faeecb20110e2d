import { checkSite } from '@placefleet/agent/site-check'
import { expect, test } from 'vitest'
import { collecting, mapSite } from './collect/collecting.ts'

const QUESTION = { keyword: 'restaurant', language: 'en', latitude: 52.52, longitude: 13.405 } as const

test('the site check says which fields of one search and one place came back', async () => {
  const site = await mapSite()
  const { collector } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const { healthy, search, place } = await checkSite(collector, QUESTION)
  expect(healthy).toBe(true)
  expect(search.places).toBe(20)
  expect(place.places).toBe(1)
  const missing = place.fields.filter(({ came }) => !came).map(({ field }) => field)
  expect(missing).toEqual([])
  expect(site.requests().kinds).toMatchObject({ 'maps-page': 1, 'search-payload': 1, 'place-payload': 1 })
})

test('the site check is not well when the site refuses, and says so', async () => {
  const site = await mapSite({ blockPlainHttp: 'always' })
  const { collector } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const { healthy, conclusion, search, place } = await checkSite(collector, QUESTION)
  expect(healthy).toBe(false)
  expect(conclusion).toMatch(/^The map site returned no places: blocked: /)
  expect(search.failure).toMatch(/^blocked: /)
  expect(place).toMatchObject({ ok: false, places: 0 })
})

test.each([
  ['open', 'whole', 'whole'],
  ['forbidden', 'request_refused', 'whole'],
  ['garbage', 'unknown', 'whole'],
] as const)(
  'the site check shows the first address of reviews as its own door when it is %s',
  async (localBoq, first, second) => {
    const site = await mapSite({ localBoq })
    const { collector } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
    const { healthy, reviews } = await checkSite(collector, QUESTION)
    expect(healthy).toBe(true)
    expect(reviews.map(({ door, verdict }) => [door, verdict])).toEqual([
      ['GetLocalBoqProxy', first],
      ['listugcposts', second],
    ])
  },
)
