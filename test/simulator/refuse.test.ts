import { expect, test } from 'vitest'
import { cookiesFrom, fetchPlace, mapSite, placeWith } from './asking.ts'

test('a blocked page neither holds its payload nor leads to it before its script has run', async () => {
  const site = await mapSite({ blockPlainHttp: true, placePages: 'embed' })
  const index = placeWith(site, ({ phone }) => phone !== undefined)
  const { ids, phone } = site.city.details(index)
  const html = await (await fetch(`${site.url}/maps/place/x/data=!1s${ids.dataId}`)).text()
  expect(html).not.toContain('as="fetch"')
  expect(html).not.toContain(phone?.national)
})

test('a page over the limit leads to the captcha page', async () => {
  const site = await mapSite({ rateLimit: { requests: 1, windowMs: 60_000, blockMs: 60_000 } })
  await fetch(`${site.url}/maps`)
  const response = await fetch(`${site.url}/maps/search/gym`)
  expect(new URL(response.url).pathname).toBe('/sorry/index')
  expect(response.status).toBe(429)
})

test('failures come at the rate asked for, and the same ones each time', async () => {
  const outcomes = async () => {
    const site = await mapSite({ failureRate: 0.5 })
    const results: string[] = []
    for (let nth = 0; nth < 40; nth++)
      results.push(
        await fetchPlace(site, site.city.details(nth).ids.dataId)
          .then(
            async (response) => `${response.status} ${(await response.text()).slice(0, 4)}`,
            () => 'broken',
          )
          .catch(() => 'cut'),
      )
    return { results, failed: site.requests().refused.failed['place-payload'] ?? 0 }
  }
  const [first, second] = [await outcomes(), await outcomes()]
  expect(first).toEqual(second)
  expect(first.failed).toBeGreaterThan(8)
  expect(first.failed).toBeLessThan(32)
})

test('options can be changed while it runs, and a wrong one is refused', async () => {
  const site = await mapSite()
  const change = (body: unknown) => fetch(`${site.url}/__sim/options`, { method: 'POST', body: JSON.stringify(body) })
  expect(await (await change({ placePages: 'embed', limited: true })).json()).toMatchObject({
    placePages: 'embed',
    limited: true,
    consent: false,
  })
  expect((await change({ placePages: 'hide' })).status).toBe(400)
  expect((await change({ colour: 'red' })).status).toBe(400)
  expect(site.options()).toMatchObject({ placePages: 'embed', limited: true })
})

test('requests are counted by kind, and control requests are not', async () => {
  const site = await mapSite()
  await cookiesFrom(site)
  await fetch(`${site.url}/maps/search/gym`)
  await fetch(`${site.url}/maps/vt?pb=1`)
  await fetch(`${site.url}/__sim/options`)
  const counts = await (await fetch(`${site.url}/__sim/requests`)).json()
  expect(counts).toMatchObject({ total: 3, kinds: { 'maps-page': 1, 'search-page': 1, image: 1 } })
  await fetch(`${site.url}/__sim/requests`, { method: 'DELETE' })
  expect(site.requests().total).toBe(0)
})

test('the truth can be asked for', async () => {
  const site = await mapSite()
  const keys = await (await fetch(`${site.url}/__sim/truth?keyword=gym&lat=52.5&lon=13.3`)).json()
  expect(keys).toEqual(site.city.keysOf('gym', { lat: 52.5, lon: 13.3 }))
  const { ids } = site.city.details(10)
  const place = await (await fetch(`${site.url}/__sim/place/${ids.dataId}?hl=de&emails=1`)).json()
  expect(place).toEqual(site.city.place(10, { language: 'de', emails: true }))
})
