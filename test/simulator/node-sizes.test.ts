import type { NodeSize } from '@placefleet/deploy/simulation/map-site/payload/bulk'
import { expect, test } from 'vitest'
import { at, cookiesFrom, listAt, mapSite, searchAddress, searchPb, unguarded } from './asking.ts'

/** Returns a way to ask a site for place payloads, with the cookie of its pages unless `trimmed`. */
async function asking(nodes: NodeSize, trimmed = false) {
  const site = await mapSite({ nodes }, 300)
  const headers = trimmed ? {} : { cookie: await cookiesFrom(site) }
  const rated = [...Array(site.city.size).keys()].filter((index) => (site.city.details(index).rating?.count ?? 0) > 7)
  const body = async (index: number) => {
    const pb = encodeURIComponent(`!1m1!1s${site.city.details(index).ids.dataId}`)
    return (await fetch(`${site.url}/maps/preview/place?hl=en&pb=${pb}`, { headers })).text()
  }
  return { site, rated: rated.slice(0, 12), body }
}

const between = (sizes: number[], least: number, most: number) => {
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(least)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(most)
}

test('captured nodes have the sizes of recorded ones: places, trimmed places and results of searches', async () => {
  const [whole, trimmed] = [await asking('captured'), await asking('captured', true)]
  const sizes = async ({ rated, body }: typeof whole) =>
    Promise.all(rated.map(async (index) => (await body(index)).length))
  between(await sizes(whole), 97_000, 274_000)
  between(await sizes(trimmed), 20_000, 50_000)
  const payload = unguarded(await (await fetch(searchAddress(whole.site, 'gym', searchPb()))).text())
  const nodes = listAt(payload, 0, 1).map((row) => JSON.stringify(at(row, 14) ?? null).length)
  between(nodes.slice(1), 4_700, 17_000)
})

test('captured nodes differ from small ones only where no client reads', async () => {
  const [small, captured] = [await asking('small'), await asking('captured')]
  for (const index of small.rated) {
    const [expected, large] = [unguarded(await small.body(index)), unguarded(await captured.body(index))]
    const node = listAt(large, 6)
    node[105] = null
    listAt(node, 175)[7] = null
    expect(large).toEqual(expected)
  }
})
