import { expect, test } from 'vitest'
import { at, listAt, mapSite, payloadAt, placePath, searchPath } from './asking.ts'

/** Asks a site for the payloads of twelve places with many reviews. Without a cookie they are trimmed. */
async function places(nodes: 'captured' | 'small', cookie?: string) {
  const site = await mapSite({ nodes }, 300)
  const rated = [...Array(site.city.size).keys()].filter((index) => (site.city.details(index).rating?.count ?? 0) > 7)
  return Promise.all(rated.slice(0, 12).map((index) => payloadAt(site, placePath(site, index), cookie)))
}

const between = (values: unknown[], least: number, most: number) => {
  const sizes = values.map((value) => JSON.stringify(value).length)
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(least)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(most)
}

test('captured nodes have the sizes of recorded ones: places, trimmed places and results of searches', async () => {
  between(await places('captured'), 97_000, 274_000)
  between(await places('captured', ''), 20_000, 50_000)
  const found = await payloadAt(await mapSite({ nodes: 'captured' }, 300), searchPath('gym'))
  const nodes = listAt(found, 0, 1).map((row) => at(row, 14) ?? null)
  between(nodes.slice(1), 4_700, 17_000)
})

test('captured nodes differ from small ones only where no client reads', async () => {
  const [small, captured] = [await places('small'), await places('captured')]
  for (const large of captured) {
    listAt(large, 6)[105] = null
    listAt(large, 6, 175)[7] = null
  }
  expect(captured).toEqual(small)
})
