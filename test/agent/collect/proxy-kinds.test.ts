import { createServer } from 'node:https'
import { startEgressProxy } from '@placefleet/agent/egress/egress-proxy'
import { createHttpClient } from '@placefleet/agent/egress/http-client'
import { startWebsites } from '@placefleet/deploy/simulation/websites/server'
import { createLogger } from '@placefleet/shared/log'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { allowing, forwardProxy, socksProxy } from '../../harness/network/proxies.ts'
import { listenOnFreePort } from '../../harness/network/serve.ts'
import { trustedAuthority } from '../../harness/network/trusted-authority.ts'
import { volume } from '../../harness/volume.ts'
import { collectorOf, keysOf, mapSite, onSite } from './collecting.ts'

const LOGIN = { username: 'us er', password: 'p:@/?#%41' }
const WRITTEN = `${encodeURIComponent(LOGIN.username)}:${encodeURIComponent(LOGIN.password)}`
const overTls = async () => (await trustedAuthority()).issue(['127.0.0.1'])

test.each([
  ['http', () => forwardProxy({ ...LOGIN, localAddress: '127.0.0.8' })],
  ['https', async () => forwardProxy({ ...LOGIN, localAddress: '127.0.0.8', tls: await overTls() })],
  ['socks5', () => socksProxy({ ...LOGIN, localAddress: '127.0.0.8' })],
] as const)('everything leaves over a proxy with an odd password that is spoken to by %s', async (scheme, start) => {
  const proxy = await start()
  const { site, city, search } = await onSite({}, { allowHosts: allowing(proxy) })
  const { references } = await search({}, { proxies: [`${scheme}://${WRITTEN}@${proxy.address}`] })
  expect(keysOf(references)).toEqual(city.keysOf('bakery'))
  expect(Object.keys(site.requests().addresses)).toEqual(['127.0.0.8'])
})

test('a SOCKS5 proxy that refuses the login is passed over for one without', async () => {
  const [strict, open] = [await socksProxy({ username: 'user', password: 'right' }), await socksProxy()]
  const { city, search } = await onSite({}, { allowHosts: allowing(strict, open) })
  const wrong = `socks5://user:wrong@${strict.address}`
  const { references } = await search({}, { proxies: [wrong, `socks5h://${open.address}`] })
  expect(keysOf(references)).toEqual(city.keysOf('bakery'))
  expect((await search({}, { proxies: [wrong] })).end).toMatchObject({ kind: 'failed', code: 'proxies_failed' })
  expect(strict.requests().refused).toBeGreaterThan(0)
})

test('a socks5h proxy resolves the names of websites itself', async () => {
  const site = await mapSite()
  const { city } = site
  const websites = await startWebsites({ city })
  onTestFinished(() => websites.close())
  const { host, port } = websites
  const proxy = await socksProxy({
    resolve: (name) => (city.indexOfHost(name) === undefined ? undefined : { host, port }),
  })
  const { collect } = collectorOf(site, { allowHosts: allowing(proxy) })
  const index = [...Array(300).keys()].find((i) => city.website(i)?.method === 'mailto') ?? -1
  const { places } = await collect([index], { include_emails: true }, { proxies: [`socks5h://${proxy.address}`] })
  expect(places[0]?.emails).toEqual(city.place(index, { emails: true }).emails)
  expect(proxy.requests().targets).toContain(`${city.website(index)?.host}:80`)
})

test.each(['http', 'socks5'] as const)('https goes through a tunnel of a proxy (%s), end to end', async (scheme) => {
  const name = 'www.shop-behind-tls.com'
  const authority = await trustedAuthority()
  const server = createServer(await authority.issue([name]), (_, response) => response.end('over tls'))
  const { port } = await listenOnFreePort(server)
  const resolve = (host: string) => (host === name ? { host: '127.0.0.1', port } : undefined)
  const proxy = await (scheme === 'http' ? forwardProxy({ resolve }) : socksProxy({ resolve }))
  const guard = { allow: allowing(proxy) }
  const egress = await startEgressProxy(guard, createLogger('test', 'silent'))
  onTestFinished(() => egress.close())
  const client = createHttpClient(guard, egress.grant({ proxy: `${scheme}://${proxy.address}` }))
  onTestFinished(() => client.close())
  const { signal } = new AbortController()
  const answer = await client.fetch({ url: `https://${name}/`, signal, timeoutMs: 10_000, maxBytes: 1_000 })
  expect(answer.body.toString()).toBe('over tls')
})

test('two users with good and with trimming proxies do not affect each other, in any order or at the same time', async () => {
  const users = {
    good: await forwardProxy({ localAddress: '127.0.0.31' }),
    trimming: await forwardProxy({ localAddress: '127.0.0.32' }),
  }
  const site = await mapSite({ trimExits: { '127.0.0.32': 1 } })
  const start = () => {
    const { collect } = collectorOf(site, { allowHosts: allowing(users.good, users.trimming) })
    return async (user: keyof typeof users) => {
      const { places, end } = await collect(site.city.search('bakery').slice(0, 3), {}, { proxies: [users[user].url] })
      return { places: places.toSorted((a, b) => a.place_key.localeCompare(b.place_key)), outcomes: end.outcomes }
    }
  }
  const alone = { good: await start()('good'), trimming: await start()('trimming') }
  expect(alone.good.outcomes.limited).toBe(0)
  expect(alone.trimming.outcomes.limited).toBeGreaterThan(0)

  const orders = fc.array(fc.constantFrom('good' as const, 'trimming' as const), { minLength: 2, maxLength: 5 })
  const property = fc.asyncProperty(orders, fc.boolean(), async (order, atOnce) => {
    const run = start()
    if (atOnce) expect(await Promise.all(order.map(run))).toEqual(order.map((user) => alone[user]))
    else for (const user of order) expect(await run(user)).toEqual(alone[user])
  })
  await fc.assert(property, { numRuns: volume(3, 5) })
}, 120_000)
