import { expect, test } from 'vitest'
import { at, cookiesFrom, listAt, mapSite, searchAddress, searchNodes, searchPb, unguarded } from './asking.ts'

const idOf = (node: unknown) => String(at(node, 10))

test('paging to the end gives every place, and pages overlap', async () => {
  const site = await mapSite()
  const seen: string[][] = []
  for (let offset = 0; ; offset += 20) {
    const nodes = await searchNodes(site, 'bakeries in Berlin', searchPb({ offset }))
    if (nodes.length === 0) break
    expect(nodes.length).toBeLessThanOrEqual(20)
    seen.push(nodes.map(idOf))
  }
  expect([...new Set(seen.flat())].sort()).toEqual(site.city.keysOf('bakery'))
  expect(seen.flat().length).toBeGreaterThan(120)
  expect(seen.slice(1, -1).some((page, nth) => page.some((id) => seen[nth]?.includes(id)))).toBe(true)
})

test('the same question gets the same answer', async () => {
  const site = await mapSite()
  const ask = async () => (await fetch(searchAddress(site, 'gym', searchPb()))).text()
  expect(await ask()).toBe(await ask())
})

test('the answer echoes the viewport, and the first row is a header', async () => {
  const site = await mapSite()
  const payload = unguarded(await (await fetch(searchAddress(site, 'gym', searchPb({ lat: 52.5, lon: 13.3 })))).text())
  expect(at(payload, 1, 0)).toEqual([3826.9, 13.3, 52.5])
  expect(listAt(payload, 0, 1)).toHaveLength(21)
  expect(listAt(payload, 0, 1, 0)).toHaveLength(11)
})

test('it is marked as a download', async () => {
  const site = await mapSite()
  const { headers } = await fetch(searchAddress(site, 'gym', searchPb()))
  expect(headers.get('content-disposition')).toBe('attachment; filename="f.txt"')
})

test('without the cookie of a page, counts and the hours of other days are missing', async () => {
  const site = await mapSite()
  const cookie = await cookiesFrom(site)
  const bare = await searchNodes(site, 'gym', searchPb())
  const known = await searchNodes(site, 'gym', searchPb(), { cookie })
  expect(bare.map(idOf)).toEqual(known.map(idOf))
  expect(bare.some((node) => at(node, 4, 7) !== undefined)).toBe(true)
  for (const node of bare) {
    expect(at(node, 4, 8)).toBeUndefined()
    expect(listAt(node, 203, 0).length).toBeLessThanOrEqual(1)
  }
  expect(known.some((node) => Number(at(node, 4, 8)) > 0)).toBe(true)
  expect(known.some((node) => listAt(node, 203, 0).length === 7)).toBe(true)
})

test('a short list of fields leaves owner, thumbnail and plus code out', async () => {
  const site = await mapSite()
  const short = await searchNodes(site, 'gym', searchPb())
  const full = await searchNodes(site, 'gym', searchPb({ more: '!24m3!1m2!13b1!18b1' }))
  expect(short.every((node) => !at(node, 57) && !at(node, 72))).toBe(true)
  expect(full.every((node) => at(node, 57, 1))).toBe(true)
})

test('the parameter !10b1 brings the places', async () => {
  const site = await mapSite()
  expect(await searchNodes(site, 'gym', searchPb().replace('!10b1', ''))).toEqual([])
})

test.each([
  ['a count too high', '!4m13!1m3!1d3826.9!2d13.4!3d52.5!2m3!1f0!2f0!3f0!3m2!1i1920!2i450!4f15!7i20!10b1'],
  ['a count too low', '!4m11!1m3!1d3826.9!2d13.4!3d52.5!2m3!1f0!2f0!3f0!3m2!1i1920!2i450!4f15!7i20!10b1'],
  ['a count past the end', '!7i20!10b1!12m9!1b1'],
  ['a malformed token', '!7i20!10b1!hello'],
  ['no parameter', ''],
])('%s is answered with 400 and a page', async (_, pb) => {
  const site = await mapSite()
  const response = await fetch(searchAddress(site, 'gym', pb))
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('Error 400 (Bad Request)!!1')
  expect(site.requests().refused.rejected).toEqual({ 'search-payload': 1 })
})

test('a percent-encoded exclamation mark is read, as the page itself writes it', async () => {
  const site = await mapSite()
  const address = searchAddress(site, 'gym', searchPb()).replaceAll('!', '%21')
  expect((await fetch(address)).status).toBe(200)
})

test('an empty result is a well-formed answer without rows', async () => {
  const site = await mapSite()
  const payload = unguarded(await (await fetch(searchAddress(site, 'submarine', searchPb()))).text())
  expect(at(payload, 0)).toEqual(['submarine', []])
})

test('one exact match is in the first row after the header', async () => {
  const site = await mapSite()
  const nodes = await searchNodes(site, site.city.details(17).title, searchPb())
  expect(nodes.map(idOf)).toEqual([site.city.details(17).ids.dataId])
})

test('the long envelope holds its places at [64]', async () => {
  const site = await mapSite({ envelope: 'list' })
  const payload = unguarded(await (await fetch(searchAddress(site, 'gym', searchPb()))).text())
  expect(listAt(payload, 0, 1)).toEqual([])
  expect(listAt(payload, 64)).toHaveLength(20)
  expect(at(payload, 64, 0, 1, 10)).toMatch(/^0x/)
})

test('sponsored places are separate from the others', async () => {
  const site = await mapSite({ ads: true })
  const payload = unguarded(await (await fetch(searchAddress(site, 'gym', searchPb()))).text())
  expect(listAt(payload, 2, 1, 0).map((row) => typeof at(row, 15, 11))).toEqual(['string', 'string'])
  expect(listAt(payload, 0, 1)).toHaveLength(21)
})
