import { createServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startEgressProxy } from '@placefleet/agent/egress/egress-proxy'
import { createHttpClient } from '@placefleet/agent/egress/http-client'
import { type ForwardProxyStart, startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { startWebsites } from '@placefleet/deploy/simulation/websites/server'
import { createLogger } from '@placefleet/shared/log'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../harness/network/certificates.ts'
import { listenOnFreePort } from '../../harness/network/serve.ts'
import { type Socks5Start, startSocks5Server } from '../../harness/network/socks5-server.ts'
import { collecting, keysOf, mapSite, taskOf } from './collecting.ts'

async function socksProxy(start: Socks5Start = {}) {
  const proxy = await startSocks5Server(start)
  onTestFinished(() => proxy.close())
  return { ...proxy, address: `${proxy.host}:${proxy.port}` }
}

async function forwardProxy(start: Partial<ForwardProxyStart>) {
  const proxy = await startForwardProxy({ resolve: () => undefined, ...start })
  onTestFinished(() => proxy.close())
  return { ...proxy, address: new URL(proxy.url).host }
}

/** Returns an authority that this process trusts during the test. */
async function trustedAuthority() {
  const authority = await createAuthority()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, authority.ca])
  onTestFinished(() => setDefaultCACertificates(before))
  return authority
}

const search = (...proxies: string[]) => taskOf({ kind: 'discover', keyword: 'bakery' }, { proxies })

test('everything leaves over a SOCKS5 proxy with a password', async () => {
  const site = await mapSite()
  const proxy = await socksProxy({ localAddress: '127.0.0.8', username: 'us er', password: 'p:@/?#%41' })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', allowHosts: new Set([proxy.address]) })
  const login = `${encodeURIComponent('us er')}:${encodeURIComponent('p:@/?#%41')}`
  const { references } = await run(search(`socks5://${login}@${proxy.address}`))
  expect(keysOf(references)).toEqual(site.city.keysOf('bakery'))
  expect(Object.keys(site.requests().addresses)).toEqual(['127.0.0.8'])
})

test('a SOCKS5 proxy that refuses the login is passed over for one without', async () => {
  const site = await mapSite()
  const [strict, open] = [await socksProxy({ username: 'user', password: 'right' }), await socksProxy()]
  const allowHosts = new Set([strict.address, open.address])
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', allowHosts })
  const wrong = `socks5://user:wrong@${strict.address}`
  const { references } = await run(search(wrong, `socks5h://${open.address}`))
  expect(keysOf(references)).toEqual(site.city.keysOf('bakery'))
  const alone = await run(search(wrong))
  expect(alone.end).toMatchObject({ kind: 'failed', code: 'proxies_failed' })
  expect(strict.requests().refused).toBeGreaterThan(0)
})

test('a socks5h proxy resolves the names of websites itself', async () => {
  const site = await mapSite()
  const websites = await startWebsites({ city: site.city })
  onTestFinished(() => websites.close())
  const resolve = (host: string) =>
    site.city.indexOfHost(host) === undefined ? undefined : { host: websites.host, port: websites.port }
  const proxy = await socksProxy({ resolve })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', allowHosts: new Set([proxy.address]) })
  const index = [...Array(300).keys()].find((i) => site.city.website(i)?.method === 'mailto') ?? -1
  const references = [{ place_key: site.city.place(index).place_key }]
  const proxies = [`socks5h://${proxy.address}`]
  const { places } = await run(
    taskOf({ kind: 'collect', references }, { proxies, parameters: { include_emails: true } }),
  )
  expect(places[0]?.emails).toEqual(site.city.place(index, { emails: true }).emails)
  expect(proxy.requests().targets).toContain(`${site.city.website(index)?.host}:80`)
})

test('a proxy that is spoken to over TLS carries everything', async () => {
  const authority = await trustedAuthority()
  const site = await mapSite()
  const proxy = await forwardProxy({
    tls: await authority.issue(['127.0.0.1']),
    localAddress: '127.0.0.9',
    username: 'user',
    password: 'pass',
  })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', allowHosts: new Set([proxy.address]) })
  const { references } = await run(search(proxy.url))
  expect(keysOf(references)).toEqual(site.city.keysOf('bakery'))
  expect(Object.keys(site.requests().addresses)).toEqual(['127.0.0.9'])
})

test.each(['http', 'socks5'] as const)('https goes through a tunnel of a proxy (%s), end to end', async (scheme) => {
  const name = 'www.shop-behind-tls.com'
  const authority = await trustedAuthority()
  const server = createServer(await authority.issue([name]), (_, response) => response.end('over tls'))
  const { port } = await listenOnFreePort(server)
  const resolve = (host: string) => (host === name ? { host: '127.0.0.1', port } : undefined)
  const proxy = scheme === 'http' ? await forwardProxy({ resolve }) : await socksProxy({ resolve })
  const guard = { allow: new Set([proxy.address]) }
  const egress = await startEgressProxy(guard, createLogger('test', 'silent'))
  onTestFinished(() => egress.close())
  const grant = egress.grant({ proxy: `${scheme}://${proxy.address}` })
  const client = createHttpClient(guard, grant)
  onTestFinished(() => client.close())
  const { signal } = new AbortController()
  const answer = await client.fetch({ url: `https://${name}/`, signal, timeoutMs: 10_000, maxBytes: 1_000 })
  expect(answer.body.toString()).toBe('over tls')
})
