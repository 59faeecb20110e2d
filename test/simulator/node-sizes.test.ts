import type { NodeSize } from '@placefleet/deploy/simulation/map-site/payload/bulk'
import { expect, test } from 'vitest'
import { at, cookiesFrom, listAt, mapSite, searchAddress, searchPb, unguarded } from './asking.ts'

const PICTURES = '!13m1!9b0'
const REVIEWS = '!72m1!9b1'
const BOTH = `${PICTURES}!15m2${REVIEWS}`

/** Returns a way to ask a site for place payloads, with the cookie of its pages unless `trimmed`. */
async function asking(nodes: NodeSize, trimmed = false) {
  const site = await mapSite({ nodes }, 300)
  const headers = trimmed ? {} : { cookie: await cookiesFrom(site) }
  const rated = [...Array(site.city.size).keys()].filter((index) => (site.city.details(index).rating?.count ?? 0) > 7)
  const body = async (index: number, groups = BOTH) => {
    const pb = encodeURIComponent(`!1m1!1s${site.city.details(index).ids.dataId}${groups}`)
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

test('a request without the group of reviews gets none, and still the counts of the stars', async () => {
  const { site, rated, body } = await asking('captured')
  const index = rated[0] ?? 0
  const node = at(unguarded(await body(index, `${PICTURES}!15m1!17b1`)), 6)
  expect(at(node, 175, 3)).toEqual(Object.values(site.city.place(index).reviews_per_rating ?? {}))
  expect(at(node, 175, 7) ?? undefined).toBeUndefined()
  expect(listAt(node, 175, 9)).toEqual([])
  expect(listAt(node, 171)).not.toEqual([])
})

test('a request without the sizes of pictures gets no pictures', async () => {
  const { rated, body } = await asking('captured')
  const node = at(unguarded(await body(rated[0] ?? 0, `!15m2${REVIEWS}`)), 6)
  for (const pictures of [37, 72, 105, 171]) expect(at(node, pictures) ?? undefined).toBeUndefined()
  expect(listAt(node, 175, 9, 0, 0)).toHaveLength(8)
})

test('a page asks for both groups', async () => {
  const { site, rated } = await asking('small')
  const { dataId } = site.city.details(rated[0] ?? 0).ids
  const page = await (await fetch(`${site.url}/maps/place/x/data=!4m2!3m1!1s${dataId}!10m1!1e1`)).text()
  const [, link = ''] = /href="(\/maps\/preview\/place[^"]+)"/.exec(page) ?? []
  const headers = { cookie: await cookiesFrom(site) }
  const node = at(unguarded(await (await fetch(site.url + link.replaceAll('&amp;', '&'), { headers })).text()), 6)
  expect(listAt(node, 171)).not.toEqual([])
  expect(listAt(node, 175, 9, 0, 0)).toHaveLength(8)
})
