import { distanceMetres } from '@placefleet/deploy/simulation/map-site/city/geography'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import type { MapSite } from '@placefleet/deploy/simulation/map-site/server'
import { expect, test } from 'vitest'
import { at, listAt, mapSite, searchAddress, searchNodes, searchPb, unguarded } from './asking.ts'

const KEYWORD = 'bakery'
/** So many that the last ones lie beyond the list, gaps and all. */
const OFFSETS = Array.from({ length: 30 }, (_, nth) => nth * 20)

const pageAt = async (site: MapSite, offset: number, pb = searchPb({ offset })) =>
  (await searchNodes(site, KEYWORD, pb)).map((node) => String(at(node, 10)))

async function pages(options: Partial<SiteOptions>, places = 3_000): Promise<{ site: MapSite; pages: string[][] }> {
  const site = await mapSite(options, places)
  const found: string[][] = []
  for (const offset of OFFSETS) found.push(await pageAt(site, offset))
  return { site, pages: found }
}

test('by relevance a prominent place comes before a nearer one, and both orders list the same places', async () => {
  const here = { lat: 52.5, lon: 13.3 }
  const site = await mapSite({ order: 'relevance' }, 600)
  const metres = (index: number) => distanceMetres(here, site.city.details(index).location)
  const ranking = { order: 'relevance', most: 120 } as const
  const byRelevance = site.city.search(KEYWORD, here, ranking).map(metres)
  expect(byRelevance).not.toEqual(byRelevance.toSorted((a, b) => a - b))
  expect(site.city.keysOf(KEYWORD, here, ranking)).toEqual(
    site.city.keysOf(KEYWORD, here, { order: 'distance', most: 120 }),
  )
  const first = await pageAt(site, 0, searchPb({ ...here }))
  expect(first).toEqual(
    site.city
      .search(KEYWORD, here, ranking)
      .slice(0, 20)
      .map((index) => site.city.details(index).ids.dataId),
  )
})

test('a search shows the configured number of places, by offset', async () => {
  const { site, pages: found } = await pages({ mostResults: 160 })
  expect(new Set(found.flat()).size).toBe(160)
  expect([...new Set(found.flat())].sort()).toEqual(
    site.city.keysOf(KEYWORD, undefined, { order: 'relevance', most: 160 }),
  )
})

test('pages in the middle can be short, and no place is lost', async () => {
  const { site, pages: found } = await pages({ shortPages: 0.7 })
  const used = found.filter((page) => page.length > 0)
  expect(used.slice(0, -1).filter((page) => page.length < 20).length).toBeGreaterThan(2)
  expect([...new Set(found.flat())].sort()).toEqual(site.city.keysOf(KEYWORD))
})

test('the last page may appear only at an offset where it is full', async () => {
  const { site, pages: found } = await pages({ lastPage: 'full' }, 564)
  const seen = new Set(found.flat())
  const missing = site.city.keysOf(KEYWORD).filter((key) => !seen.has(key))
  expect(missing.length).toBeGreaterThan(0)
  const before = found.findIndex((page) => page.length === 0) * 20 - 10
  expect(await pageAt(site, before)).not.toHaveLength(0)
})

test('after the end the first page may repeat', async () => {
  const { pages: found } = await pages({ afterEnd: 'first-page' })
  expect(found.at(-1)).toEqual(found[0])
})

test.each([
  ['empty-when-sent', 0],
  ['empty-when-absent', 20],
] as const)('offset 0: %s', async (offsetZero, withoutIt) => {
  const site = await mapSite({ offsetZero })
  expect(await pageAt(site, 0)).toHaveLength(20 - withoutIt === 20 ? 0 : 20)
  expect(await pageAt(site, 0, searchPb().replace('!8i0', ''))).toHaveLength(20 - withoutIt)
  expect(await pageAt(site, 20)).toHaveLength(20)
})

test('later pages may need coordinates', async () => {
  const site = await mapSite({ pagesNeedViewport: true })
  expect(await pageAt(site, 0, '!7i20!10b1')).toHaveLength(20)
  expect(await pageAt(site, 20, '!7i20!8i20!10b1')).toEqual([])
  expect(await pageAt(site, 20)).toHaveLength(20)
})

test('similar places are outside the results', async () => {
  const site = await mapSite({ similar: true })
  const payload = unguarded(await (await fetch(searchAddress(site, KEYWORD, searchPb()))).text())
  const similar = listAt(payload, 2, 11, 0).map((row) => at(row, 14, 10))
  expect(similar).toHaveLength(3)
  expect(similar.filter((key) => site.city.indexOf(String(key)) !== undefined)).toEqual([])
})
