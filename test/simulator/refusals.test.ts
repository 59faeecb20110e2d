import { REFUSAL_FORMS } from '@placefleet/deploy/simulation/map-site/modes/refusals'
import type { MapSite } from '@placefleet/deploy/simulation/map-site/server'
import { startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { expect, onTestFinished, test } from 'vitest'
import { cookiesFrom, fetchPlace, mapSite, searchAddress, searchPb } from './asking.ts'
import { getThrough } from './through-proxy.ts'

const LONG = 600_000

const ask = (site: MapSite) => fetch(searchAddress(site, 'gym', searchPb()), { redirect: 'manual' })
const askPage = (site: MapSite) => fetch(`${site.url}/maps/search/gym`, { redirect: 'manual' })

test('plain clients get a captcha instead of payloads where only pages may ask', async () => {
  const site = await mapSite({ blockPlainHttp: true })
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
})

const EXPECTED = {
  'by-kind': [429, 302, 'captcha-form'],
  '429': [429, 429, 'captcha-form'],
  '302': [302, 302, ''],
  '200': [200, 200, 'captcha-form'],
  stub: [200, 200, 'http-equiv="refresh"'],
  '403': [403, 403, 'captcha-form'],
  'bare-403': [403, 403, 'Error 403'],
  '503': [503, 503, 'captcha-form'],
  enablejs: [200, 200, '/httpservice/retry/enablejs'],
  'sg-rel': [200, 200, "emsg='SG_REL'"],
} as const

test.each(REFUSAL_FORMS)('a refusal of the form %s', async (refusalForm) => {
  const site = await mapSite({ blocked: 'everyone', refusalForm })
  const [payloadStatus, pageStatus, mark] = EXPECTED[refusalForm]
  const payload = await ask(site)
  const text = await payload.text()
  expect([payload.status, (await askPage(site)).status]).toEqual([payloadStatus, pageStatus])
  expect(text).toContain(mark)
  if (refusalForm === 'stub') expect(text.length).toBeLessThan(2_000)
  if (payloadStatus === 302) expect(payload.headers.get('location')).toContain('/sorry/index?continue=')
})

test('the captcha page answers 429, and 200 where refusals do', async () => {
  const site = await mapSite({ refusalForm: '302' })
  expect((await fetch(`${site.url}/sorry/index?continue=x`)).status).toBe(429)
  site.setOptions({ refusalForm: '200' })
  expect((await fetch(`${site.url}/sorry/index?continue=x`)).status).toBe(200)
})

test('the limit counts each address for itself', async () => {
  const site = await mapSite({ rateLimit: { requests: 2, windowMs: LONG, blockMs: LONG } })
  const proxy = await startForwardProxy({ resolve: () => undefined, localAddress: '127.0.0.9' })
  onTestFinished(() => proxy.close())
  const direct = [(await ask(site)).status, (await ask(site)).status, (await ask(site)).status]
  expect(direct).toEqual([200, 200, 429])
  expect((await getThrough(proxy.url, searchAddress(site, 'gym', searchPb()))).status).toBe(200)
  const { addresses, refusedAddresses } = site.requests()
  expect(addresses['127.0.0.9']).toEqual({ 'search-payload': 1 })
  expect(refusedAddresses).toEqual({ '127.0.0.1': { 'rate-limited': 1 } })
})

test('a gateway that rotates leaves from another address each time', async () => {
  const site = await mapSite({ rateLimit: { requests: 1, windowMs: LONG, blockMs: LONG } })
  const gateway = await startForwardProxy({ resolve: () => undefined, localAddress: ['127.0.0.8', '127.0.0.9'] })
  onTestFinished(() => gateway.close())
  const statuses: number[] = []
  for (let nth = 0; nth < 3; nth++)
    statuses.push((await getThrough(gateway.url, searchAddress(site, 'gym', searchPb()))).status)
  expect(statuses).toEqual([200, 200, 429])
  expect(Object.keys(site.requests().addresses)).toEqual(['127.0.0.8', '127.0.0.9'])
})

test('a request during a block is counted separately, and gets Retry-After where refusals send it', async () => {
  const site = await mapSite({ rateLimit: { requests: 1, windowMs: LONG, blockMs: LONG }, retryAfter: true })
  await ask(site)
  expect((await ask(site)).headers.get('retry-after')).toBe('600')
  await ask(site)
  expect(site.requests().refusedAddresses['127.0.0.1']).toEqual({ 'rate-limited': 1, 'blocked-still': 1 })
})

test('a refusal that an injected failure replaces counts as the failure only', async () => {
  const site = await mapSite({ blocked: 'everyone', failureRate: 1 })
  await ask(site).catch(() => undefined) // the connection may be cut
  expect(site.requests().refusedAddresses['127.0.0.1']).toEqual({ failed: 1 })
})

test('an exit can be blocked and unblocked while the site runs', async () => {
  const site = await mapSite()
  site.setOptions({ blocked: ['127.0.0.1'] })
  expect((await ask(site)).status).toBe(429)
  site.setOptions({ blocked: [] })
  expect((await ask(site)).status).toBe(200)
})

test('other options may change without an end to a block', async () => {
  const site = await mapSite({ rateLimit: { requests: 1, windowMs: LONG, blockMs: LONG } })
  await ask(site)
  await ask(site)
  site.setOptions({ ads: true })
  expect((await ask(site)).status).toBe(429)
})
