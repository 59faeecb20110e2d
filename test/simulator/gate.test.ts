import { startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { expect, onTestFinished, test } from 'vitest'
import { cookiesFrom, fetchPlace, mapSite, placeWith, searchAddress, searchPb } from './asking.ts'
import { getThrough } from './through-proxy.ts'

test('a wall of consent leads to its forms, and after one of them back to the page', async () => {
  const site = await mapSite({ consent: true })
  const wanted = `${site.url}/maps/search/gym?hl=fr`
  const wall = await fetch(wanted)
  expect(new URL(wall.url).pathname).toBe('/consent/m')
  const html = await wall.text()
  const forms = html.match(/<form .*?<\/form>/gs) ?? []
  expect(forms).toHaveLength(4)
  expect(forms.map((form) => form.includes('name="set_sc"'))).toEqual([false, true, true, false])
  const fields = Object.fromEntries(
    [...(forms[0] ?? '').matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value = '']) => [
      name,
      value.replaceAll('&amp;', '&'),
    ]),
  )
  const saved = await fetch(`${site.url}/consent/save`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  expect(saved.headers.get('location')).toBe(wanted)
  const cookie = saved.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect(cookie).toMatch(/^SOCS=/)
  expect((await fetch(wanted, { headers: { cookie } })).url).toBe(wanted)
  expect(site.requests().refused.consent).toEqual({ 'search-page': 1 })
})

test('payloads stop at the wall too', async () => {
  const site = await mapSite({ consent: true })
  const response = await fetch(searchAddress(site, 'gym', searchPb()))
  expect(new URL(response.url).pathname).toBe('/consent/m')
})

test('consent leads to no other site', async () => {
  const site = await mapSite({ consent: true })
  const body = new URLSearchParams({ continue: 'http://elsewhere.example/', set_eom: 'true' })
  const saved = await fetch(`${site.url}/consent/save`, { method: 'POST', body, redirect: 'manual' })
  expect(saved.headers.get('location')).toBe(`${site.url}/maps`)
})

test.each(['until-browser-cookie', 'always'] as const)(
  'plain clients get a captcha instead of payloads when blocked %s',
  async (mode) => {
    const site = await mapSite({ blockPlainHttp: mode })
    const cookie = await cookiesFrom(site)
    const id = site.city.details(0).ids.dataId
    for (const response of [
      await fetch(searchAddress(site, 'gym', searchPb()), { headers: { cookie } }),
      await fetchPlace(site, id, { headers: { cookie } }),
    ]) {
      expect(response.status).toBe(429)
      expect(await response.text()).toContain('id="captcha-form"')
    }
    expect(site.requests().refused.blocked).toEqual({ 'search-payload': 1, 'place-payload': 1 })
  },
)

test('a blocked page neither holds its payload nor leads to it before its script has run', async () => {
  const site = await mapSite({ blockPlainHttp: 'always', vintage: '2023' })
  const index = placeWith(site, ({ phone }) => phone !== undefined)
  const { ids, phone } = site.city.details(index)
  const html = await (await fetch(`${site.url}/maps/place/x/data=!1s${ids.dataId}`)).text()
  expect(html).not.toContain('as="fetch"')
  expect(html).not.toContain(phone?.national)
})

test('a made-up cookie does not help', async () => {
  const site = await mapSite({ blockPlainHttp: 'until-browser-cookie' })
  const response = await fetch(searchAddress(site, 'gym', searchPb()), { headers: { cookie: 'OTZ=abc.def; NID=1' } })
  expect(response.status).toBe(429)
})

test('the limit counts each address for itself', async () => {
  const site = await mapSite({ rateLimit: { requests: 2, windowMs: 60_000, blockMs: 60_000 } })
  const proxy = await startForwardProxy({ resolve: () => undefined, localAddress: '127.0.0.9' })
  onTestFinished(() => proxy.close())
  const address = searchAddress(site, 'gym', searchPb())
  const direct = [(await fetch(address)).status, (await fetch(address)).status, (await fetch(address)).status]
  expect(direct).toEqual([200, 200, 429])
  expect((await getThrough(proxy.url, address)).status).toBe(200)
  const { addresses, refusedAddresses } = site.requests()
  expect(addresses['127.0.0.9']).toEqual({ 'search-payload': 1 })
  expect(refusedAddresses).toEqual({ '127.0.0.1': { 'rate-limited': 1 } })
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
  expect(await (await change({ vintage: '2023', limited: true })).json()).toMatchObject({
    vintage: '2023',
    limited: true,
    consent: false,
  })
  expect((await change({ vintage: '1999' })).status).toBe(400)
  expect((await change({ colour: 'red' })).status).toBe(400)
  expect(site.options()).toMatchObject({ vintage: '2023', limited: true })
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
