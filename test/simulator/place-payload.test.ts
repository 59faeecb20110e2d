import { siteLanguage, wordsOf } from '@placefleet/deploy/simulation/map-site/language/choose'
import { expect, test } from 'vitest'
import { at, cookiesFrom, fetchPlace, listAt, mapSite, placeWith, unguarded } from './asking.ts'

const rich = (details: Parameters<Parameters<typeof placeWith>[1]>[0]) =>
  !!details.rating?.perStar &&
  details.rating.count > 30 &&
  !!details.busyness &&
  details.schedule.kind === 'weekly' &&
  details.photos.length > 3

async function nodeOf(site: Awaited<ReturnType<typeof mapSite>>, index: number, hl = 'en') {
  const headers = { cookie: await cookiesFrom(site) }
  const response = await fetchPlace(site, site.city.details(index).ids.dataId, { hl, headers })
  return at(unguarded(await response.text()), 6)
}

const state = (html: string): unknown => {
  const text = /window\.APP_INITIALIZATION_STATE=(.*?);window\.APP_FLAGS=/s.exec(html)?.[1]
  return JSON.parse(text ?? 'null')
}

const pageOf = async (site: Awaited<ReturnType<typeof mapSite>>, index: number) => {
  const response = await fetch(
    `${site.url}/maps/place/x/data=!4m2!3m1!1s${site.city.details(index).ids.dataId}!10m1!1e1?hl=en`,
  )
  return response.text()
}

test('a place has its fields where they are expected', async () => {
  const site = await mapSite()
  const index = placeWith(site, rich)
  const truth = site.city.place(index)
  const node = await nodeOf(site, index)
  expect(at(node, 11)).toBe(truth.title)
  expect(at(node, 10)).toBe(truth.place_key)
  expect(at(node, 78)).toBe(truth.place_id)
  expect([at(node, 9, 2), at(node, 9, 3)]).toEqual([truth.latitude, truth.longitude])
  expect(at(node, 4, 8)).toBe(truth.review_count)
  expect(at(node, 175, 3)).toEqual(Object.values(truth.reviews_per_rating ?? {}))
  expect(at(node, 203, 1, 4, 0)).toBe(truth.status)
  expect(listAt(node, 175, 9, 0, 0)).toHaveLength(8)
})

test('without the cookie of a page it is trimmed', async () => {
  const site = await mapSite()
  const index = placeWith(site, rich)
  const node = at(unguarded(await (await fetchPlace(site, site.city.details(index).ids.dataId)).text()), 6)
  expect(at(node, 4)).toEqual([null, null, null, null, null, null, null, site.city.details(index).rating?.value])
  expect(listAt(node, 203, 0)).toHaveLength(1)
  for (const path of [84, 175]) expect(at(node, path) ?? undefined).toBeUndefined()
  expect(at(node, 11)).toBe(site.city.details(index).title)
})

test('a page may hold the payload, and a stub that is not a payload', async () => {
  const site = await mapSite({ placePages: 'embed' })
  const index = placeWith(site, rich)
  const parts = at(state(await pageOf(site, index)), 3)
  const payload = unguarded(String(at(parts, 6)))
  expect(at(payload, 6, 11)).toBe(site.city.details(index).title)
  expect(at(unguarded(String(at(parts, 5))), 0, 0)).toBe(site.city.details(index).ids.dataId)
  expect(Array.isArray(at(unguarded(String(at(parts, 5))), 6))).toBe(false)
})

test('a page holds only the stub, and leads to the payload', async () => {
  const site = await mapSite()
  const index = placeWith(site, rich)
  const html = await pageOf(site, index)
  expect(listAt(state(html), 3)).toHaveLength(6)
  const address = /<link href="([^"]+)" as="fetch"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(address).toContain('/maps/preview/place?')
  const payload = unguarded(
    await (await fetch(site.url + address, { headers: { cookie: await cookiesFrom(site) } })).text(),
  )
  expect(at(payload, 6, 11)).toBe(site.city.details(index).title)
})

test.each(['en', 'de', 'ja'])('texts follow hl=%s, weekday numbers are always right', async (hl) => {
  const site = await mapSite()
  const index = placeWith(site, rich)
  const node = await nodeOf(site, index, hl)
  const words = wordsOf(siteLanguage(hl))
  expect(at(node, 13, 0)).toBe(words.category[site.city.details(index).category])
  for (const day of listAt(node, 203, 0)) {
    const [year = 0, month = 0, date = 0] = listAt(day, 2).map(Number)
    expect(at(day, 1)).toBe(new Date(Date.UTC(year, month - 1, date)).getUTCDay() || 7)
    expect(at(day, 0)).toBe(words.weekdays[Number(at(day, 1)) - 1])
  }
})

test('a place is found by data id, place id and cid', async () => {
  const site = await mapSite()
  const { ids, title } = site.city.details(40)
  for (const id of [ids.dataId, ids.placeId, ids.cid])
    expect(at(unguarded(await (await fetchPlace(site, id)).text()), 6, 11)).toBe(title)
  for (const door of [`/maps?cid=${ids.cid}`, `/maps/place/?q=place_id:${ids.placeId}`]) {
    const response = await fetch(site.url + door)
    expect(response.url).toContain(`!1s${ids.dataId}`)
  }
})

test.each(['!1m1!1s0x1:0x2', '!1m5!1s0x1:0x2', 'nonsense'])(
  'the unreadable or unknown %s is answered with 400',
  async (pb) => {
    const site = await mapSite()
    expect((await fetch(`${site.url}/maps/preview/place?pb=${encodeURIComponent(pb)}`)).status).toBe(400)
  },
)

test('hours of all kinds are there', async () => {
  const site = await mapSite()
  const kinds = {
    'all day': placeWith(site, ({ schedule }) => schedule.kind === 'always'),
    'past midnight': placeWith(site, ({ schedule, category }) => schedule.kind === 'weekly' && category === 'bar'),
    none: placeWith(site, ({ schedule, closed, index }) => schedule.kind === 'unknown' && !closed && index % 4 !== 0),
  }
  expect(at(await nodeOf(site, kinds['all day']), 203, 0, 0, 3)).toEqual([['Open 24 hours', [[], []]]])
  const slots = listAt(await nodeOf(site, kinds['past midnight']), 203, 0).flatMap((day) => listAt(day, 3))
  expect(slots.some((slot) => Number(at(slot, 1, 1, 0) ?? 0) < Number(at(slot, 1, 0, 0)))).toBe(true)
  expect(at(await nodeOf(site, kinds.none), 203)).toBeNull()
})

test('a closed place says so by mark and by word', async () => {
  const site = await mapSite()
  const node = await nodeOf(
    site,
    placeWith(site, ({ closed }) => closed === 'permanently'),
  )
  expect([at(node, 88, 0), at(node, 23), at(node, 203, 1, 4, 0)]).toEqual([
    'CLOSED_PERMANENTLY',
    1,
    'Permanently closed',
  ])
})
