import { createExits } from '@placefleet/deploy/simulation/map-site/exits'
import { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { expect, test } from 'vitest'
import { at, listAt, mapSite, payloadAt, placePath, searchPath } from './asking.ts'

const rateLimit = { requests: 2, windowMs: 1_000, blockMs: 10_000 }
const none = undefined

test.each<[string, Partial<SiteOptions>, number[], (number | undefined)[]]>([
  ['counts over a window', { rateLimit }, [0, 1, 2_000, 2_001], [none, none, none, none]],
  ['blocks for a while', { rateLimit }, [0, 1, 2, 5_002, 10_002], [none, none, 10_000, 5_000, none]],
  [
    'that grows starts again when asked, and the next block is twice as long',
    { rateLimit, blockGrows: true },
    [0, 1, 2, 5_002, 14_000, 24_000, 24_001, 24_002],
    [none, none, 10_000, 10_000, 10_000, none, none, 20_000],
  ],
  [
    'for other addresses lets an exit be',
    { rateLimit: { ...rateLimit, addresses: ['::1'] } },
    [0, 1, 2],
    [none, none, none],
  ],
])('a limit %s', (_, rules, moments, refused) => {
  let now = 0
  const exits = createExits(() => now)
  const lengths = moments.map((moment) => {
    now = moment
    const block = exits.judge('127.0.0.1', SiteOptions.parse(rules))
    return block && block.until - now
  })
  expect(lengths).toEqual(refused)
})

test('failures come at the rate asked for, and the same ones each time', async () => {
  const outcomes = async () => {
    const site = await mapSite({ failureRate: 0.5 })
    const results: string[] = []
    for (let nth = 0; nth < 40; nth++)
      results.push(
        await fetch(site.url + placePath(site, nth))
          .then(async (response) => `${response.status} ${(await response.text()).slice(0, 4)}`)
          .catch(() => 'broken'),
      )
    return { results, failed: site.requests().refused.failed['place-payload'] ?? 0 }
  }
  const [first, second] = [await outcomes(), await outcomes()]
  expect(first).toEqual(second)
  expect(first.failed).toBeGreaterThan(8)
  expect(first.failed).toBeLessThan(32)
})

test('paging to the end gives every place', async () => {
  const site = await mapSite()
  const keys = new Set<unknown>()
  for (let offset = 0; offset <= 140; offset += 20)
    for (const row of listAt(await payloadAt(site, searchPath('bakeries in Berlin', `!8i${offset}`)), 0, 1))
      keys.add(at(row, 14, 10))
  keys.delete(undefined) // the first row is a header
  expect([...keys].sort()).toEqual(site.city.keysOf('bakery'))
})

test.each([
  ['a count too high', '!4m13!1m3!1d3826.9!2d13.4!3d52.5!2m3!1f0!2f0!3f0!3m2!1i1920!2i450!4f15!7i20!10b1'],
  ['a count too low', '!4m11!1m3!1d3826.9!2d13.4!3d52.5!2m3!1f0!2f0!3f0!3m2!1i1920!2i450!4f15!7i20!10b1'],
  ['a count past the end', '!7i20!10b1!12m9!1b1'],
  ['a malformed token', '!7i20!10b1!hello'],
])('a search with %s is answered with 400', async (_, pb) => {
  const site = await mapSite()
  const response = await fetch(`${site.url}/search?tbm=map&q=gym&pb=${encodeURIComponent(pb)}`)
  expect(response.status).toBe(400)
  expect(site.requests().refused.rejected).toEqual({ 'search-payload': 1 })
})

test('while it runs, its options can be changed, its requests counted and its truth read', async () => {
  const site = await mapSite()
  const control = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${site.url}/__sim/${path}`, init)
    return { status: response.status, body: await response.json() }
  }
  const change = (body: unknown) => control('options', { method: 'POST', body: JSON.stringify(body) })
  expect(await change({ limited: true })).toMatchObject({ status: 200, body: { limited: true, consent: false } })
  expect((await change({ placePages: 'hide' })).status).toBe(400)
  expect((await change({ colour: 'red' })).status).toBe(400)
  await fetch(`${site.url}/maps/search/gym`)
  expect((await control('requests')).body).toMatchObject({ total: 1, kinds: { 'search-page': 1 } })
  expect((await control('requests', { method: 'DELETE' })).body).toMatchObject({ total: 0 })
  const here = { lat: 52.5, lon: 13.3 }
  expect((await control('truth?keyword=gym&lat=52.5&lon=13.3')).body).toEqual(site.city.keysOf('gym', here))
  const { body } = await control(`place/${site.city.details(10).ids.dataId}?hl=de&emails=1`)
  expect(body).toEqual(site.city.place(10, { language: 'de', emails: true }))
})
