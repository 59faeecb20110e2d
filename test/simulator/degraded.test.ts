import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import type { MapSite } from '@placefleet/deploy/simulation/map-site/server'
import { startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { expect, onTestFinished, test } from 'vitest'
import {
  at,
  cookiesFrom,
  fetchPlace,
  listAt,
  mapSite,
  placeWith,
  searchAddress,
  searchNodes,
  searchPb,
  unguarded,
} from './asking.ts'
import { getThrough } from './through-proxy.ts'

const TIMES = 40

const rated = (site: MapSite) => placeWith(site, ({ rating }) => rating?.perStar !== undefined)

/** Returns how many of 40 answers for a rated place come without its counts. */
async function trimmedOf(site: MapSite, headers: Record<string, string> = {}): Promise<number> {
  const id = site.city.details(rated(site)).ids.dataId
  let trimmed = 0
  for (let nth = 0; nth < TIMES; nth++) {
    const payload = unguarded(await (await fetchPlace(site, id, { headers })).text())
    if (at(payload, 6, 4, 8) === undefined) trimmed++
  }
  return trimmed
}

/** Returns how many places each of 20 answers to one search holds. */
async function searchSizes(options: Partial<SiteOptions>, pb = searchPb(), headers = {}): Promise<number[]> {
  const site = await mapSite(options)
  const sizes: number[] = []
  for (let nth = 0; nth < 20; nth++) sizes.push((await searchNodes(site, 'gym', pb, headers)).length)
  return sizes
}

test('the same question is answered whole or trimmed, by share', async () => {
  const site = await mapSite({ trimShares: { withNid: 0.5, withoutNid: 0.875 } })
  const cookie = await cookiesFrom(site)
  const withNid = await trimmedOf(site, { cookie })
  expect(withNid).toBeGreaterThan(10)
  expect(withNid).toBeLessThan(30)
  expect(await trimmedOf(site)).toBeGreaterThan(25)
})

test('an exit can have its own share', async () => {
  const site = await mapSite({ trimExits: { '127.0.0.9': 1 } })
  const proxy = await startForwardProxy({ resolve: () => undefined, localAddress: '127.0.0.9' })
  onTestFinished(() => proxy.close())
  const cookie = await cookiesFrom(site)
  expect(await trimmedOf(site, { cookie })).toBe(0)
  const id = site.city.details(rated(site)).ids.dataId
  const address = `${site.url}/maps/preview/place?hl=en&pb=${encodeURIComponent(`!1m1!1s${id}`)}`
  const answer = await getThrough(proxy.url, address)
  expect(at(unguarded(answer.text), 6, 4, 8)).toBeUndefined()
})

test('searches are empty at random, on first pages, on later ones, or only for one exit', async () => {
  const first = await searchSizes({ emptySearches: { first: 0.5, later: 0 } })
  expect(new Set(first)).toEqual(new Set([0, 20]))
  const later = { emptySearches: { first: 0, later: 1 } } as const
  expect(new Set(await searchSizes(later))).toEqual(new Set([20]))
  expect(new Set(await searchSizes(later, searchPb({ offset: 20 })))).toEqual(new Set([0]))
  const elsewhere: Partial<SiteOptions> = { emptySearches: { first: 1, later: 1, exits: ['127.0.0.9'] } }
  expect(new Set(await searchSizes(elsewhere))).toEqual(new Set([20]))
})

test('a search may be answered for a place of the same latitude far away', async () => {
  const site = await mapSite({ wrongPlace: 1 })
  const payload = unguarded(await (await fetch(searchAddress(site, 'gym', searchPb()))).text())
  expect(Number(at(payload, 1, 0, 1))).toBeCloseTo(13.405 - 15.3)
  expect(at(payload, 1, 0, 2)).toBe(52.52)
  const nodes = listAt(payload, 0, 1)
    .map((row) => at(row, 14))
    .filter(Array.isArray)
  expect(nodes).toHaveLength(20)
  for (const node of nodes) expect(site.city.indexOf(String(at(node, 10)))).toBeUndefined()
})

test('places flicker: about half of them are in all of four answers', async () => {
  const site = await mapSite({ flicker: 0.143 }, 470)
  const runs: Set<string>[] = []
  for (let nth = 0; nth < 4; nth++) {
    const nodes = [
      ...(await searchNodes(site, 'gym', searchPb())),
      ...(await searchNodes(site, 'gym', searchPb({ offset: 20 }))),
    ]
    runs.push(new Set(nodes.map((node) => String(at(node, 10)))))
  }
  const all = site.city.keysOf('gym')
  const always = all.filter((key) => runs.every((run) => run.has(key)))
  expect(always.length).toBeGreaterThan(all.length * 0.3)
  expect(always.length).toBeLessThan(all.length * 0.75)
})

test('addresses end with the country for exits of another country, unless gl names it', async () => {
  const site = await mapSite({ exitCountries: { '127.0.0.1': 'FR' } })
  const index = placeWith(site, ({ address }) => address !== undefined)
  const { ids } = site.city.details(index)
  const truth = site.city.place(index).address
  const addressAt = async (gl: string) => {
    const pb = encodeURIComponent(`!1m1!1s${ids.dataId}`)
    return at(unguarded(await (await fetch(`${site.url}/maps/preview/place?hl=en${gl}&pb=${pb}`)).text()), 6, 39)
  }
  expect(await addressAt('')).toBe(`${truth}, Germany`)
  expect(await addressAt('&gl=de')).toBe(truth)
})

test('a kind of request can be out of order', async () => {
  const site = await mapSite({ outages: { 'place-payload': 404, 'search-payload': 410 } })
  expect((await fetchPlace(site, site.city.details(0).ids.dataId)).status).toBe(404)
  expect((await fetch(searchAddress(site, 'gym', searchPb()))).status).toBe(410)
})
