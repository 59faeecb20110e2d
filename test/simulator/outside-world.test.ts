import { createCity } from '@placefleet/deploy/simulation/map-site/city'
import { EMAIL_METHODS, type Website } from '@placefleet/deploy/simulation/map-site/city/website'
import { cityResolver } from '@placefleet/deploy/simulation/outside-world'
import { type ForwardProxyStart, startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { cloudflare } from '@placefleet/deploy/simulation/websites/hide-email'
import { startWebsites } from '@placefleet/deploy/simulation/websites/server'
import { expect, onTestFinished, test } from 'vitest'
import { connectThrough, getThrough } from './through-proxy.ts'

const city = createCity({ seed: 5, places: 2000 })

async function world(start: Partial<ForwardProxyStart> = {}) {
  const websites = await startWebsites({ city })
  onTestFinished(() => websites.close())
  const proxy = await startForwardProxy({ resolve: cityResolver(city, websites), ...start })
  onTestFinished(() => proxy.close())
  return { websites, proxy }
}

const siteWith = (method: Website['method']) => {
  for (let index = 0; index < city.size; index++) {
    const website = city.website(index)
    if (website?.method === method) return website
  }
  throw new Error(`no website of ${method}`)
}

test('a website of the city is reached through the proxy by its name', async () => {
  const { proxy, websites } = await world()
  const website = siteWith('mailto')
  const { status, text } = await getThrough(proxy.url, `http://${website.host}/`)
  expect(status).toBe(200)
  expect(text).toContain(`mailto:${website.emails[0]}`)
  expect(websites.requests().hosts).toEqual({ [website.host]: 1 })
  expect(proxy.requests()).toMatchObject({ requests: 1, refused: 0, hosts: { [website.host]: 1 } })
})

test('names that do not exist are refused with 502', async () => {
  const { proxy } = await world()
  expect((await getThrough(proxy.url, 'http://www.nowhere.com/')).status).toBe(502)
  expect(await connectThrough(proxy.url, 'www.nowhere.com:443')).toBe(502)
})

test('tunnels reach the websites too', async () => {
  const { proxy } = await world()
  expect(await connectThrough(proxy.url, `${siteWith('mailto').host}:80`)).toBe(200)
  expect(proxy.requests().tunnels).toBe(1)
})

test('a proxy with a password refuses clients without it', async () => {
  const { proxy } = await world({ username: 'user', password: 'p@ss word' })
  const address = `http://${siteWith('mailto').host}/`
  expect((await getThrough(proxy.url, address)).status).toBe(200)
  expect((await getThrough(proxy.url.replace('user', 'other'), address)).status).toBe(407)
  expect((await getThrough(`http://${new URL(proxy.url).host}`, address)).status).toBe(407)
})

test.each([403, 407] as const)('a proxy that fails with %i refuses every request', async (failure) => {
  const { proxy } = await world({ failure })
  expect((await getThrough(proxy.url, `http://${siteWith('mailto').host}/`)).status).toBe(failure)
  expect(proxy.requests().refused).toBe(1)
  proxy.setFailure(undefined)
  expect((await getThrough(proxy.url, `http://${siteWith('mailto').host}/`)).status).toBe(200)
})

test('a dead proxy drops connections', async () => {
  const { proxy } = await world({ failure: 'dead' })
  await expect(getThrough(proxy.url, `http://${siteWith('mailto').host}/`)).rejects.toThrow()
})

test('a silent proxy never answers', async () => {
  const { proxy } = await world({ failure: 'silent' })
  await expect(getThrough(proxy.url, `http://${siteWith('mailto').host}/`, AbortSignal.timeout(200))).rejects.toThrow(
    /abort/i,
  )
})

test('every way of writing an address occurs, and hides it where it says', async () => {
  const { proxy } = await world()
  const html = async (website: Website) => (await getThrough(proxy.url, `http://${website.host}/`)).text
  for (const method of EMAIL_METHODS) {
    const website = siteWith(method)
    const page = await html(website)
    const shown = website.emails.some((email) => page.includes(email))
    expect([method, shown]).toEqual([method, ['mailto', 'json-ld', 'two-pages'].includes(method)])
  }
})

test('cloudflare addresses are written as on real sites', () => {
  expect(cloudflare('info@example.org')).toBe('2a43444c456a4f524b475a464f0445584d')
})

test('only the imprint has the address of sites that hide it there', async () => {
  const { proxy } = await world()
  const website = siteWith('imprint-page')
  const home = (await getThrough(proxy.url, `http://${website.host}/`)).text
  const links = [...home.matchAll(/<a href="(\/[^"]*)"/g)].map(([, path]) => path)
  const pages = await Promise.all(links.map((path) => getThrough(proxy.url, `http://${website.host}${path}`)))
  expect(pages.filter(({ text }) => text.includes(website.emails[0] ?? '-'))).toHaveLength(1)
})
