import { createServer } from 'node:net'
import { startEgressProxy } from '@placefleet/agent/egress/egress-proxy'
import { createGuard } from '@placefleet/agent/egress/guard'
import { findProxyFault } from '@placefleet/agent/egress/proxy-fault'
import { createLogger } from '@placefleet/shared/log'
import type { ProxyFailure } from '@placefleet/shared/proxy-failures'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../harness/network/certificates.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { forwardProxy, socksProxy } from '../../harness/network/proxies.ts'
import { listenOnFreePort } from '../../harness/network/serve.ts'

const SITE = 'http://127.0.0.1:9'
const LOGIN = { username: 'user', password: 'right' }

const forward = async (...start: Parameters<typeof forwardProxy>) => (await forwardProxy(...start)).address
const socks = async (...start: Parameters<typeof socksProxy>) => (await socksProxy(...start)).address

/** Starts a proxy that opens every tunnel and sends nothing through it. */
async function opening(): Promise<string> {
  const server = createServer((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 Connection Established\r\n\r\n'))
  })
  return (await listenOnFreePort(server)).host
}

const ownCertificate = async () => ({ tls: await (await createAuthority()).issue(['127.0.0.1']) })
const nobody = async () => `127.0.0.1:${await freePort()}`

test.each<[string, string, () => Promise<string>, ProxyFailure]>([
  ['refuses the password', 'http://user:wrong@', () => forward(LOGIN), { fault: 'login_refused', status: 407 }],
  ['requires a password', 'http://', () => forward(LOGIN), { fault: 'login_required', status: 407 }],
  ['refuses the tunnel', 'http://', () => forward({ failure: 403 }), { fault: 'tunnel_refused', status: 403 }],
  ['is not there', 'http://', nobody, { fault: 'refused' }],
  ['closes connections', 'http://', () => forward({ failure: 'dead' }), { fault: 'closed' }],
  ['has an unknown authority', 'https://', async () => forward(await ownCertificate()), { fault: 'certificate' }],
  ['speaks no TLS', 'https://', () => forward({}), { fault: 'tls' }],
  ['expects TLS', 'http://', async () => forward(await ownCertificate()), { fault: 'closed' }],
  ['refuses the SOCKS password', 'socks5://user:wrong@', () => socks(LOGIN), { fault: 'login_refused' }],
  ['requires a SOCKS password', 'socks5://', () => socks(LOGIN), { fault: 'login_required' }],
  ['is no SOCKS proxy', 'socks5h://', () => forward({}), { fault: 'protocol' }],
  ['is not there as a SOCKS proxy', 'socks5://', nobody, { fault: 'refused' }],
  ['opens a tunnel', 'http://', opening, { fault: 'site_silent' }],
])('the reason is found why a proxy fails that %s', async (_, start, proxyAt, failure) => {
  const address = await proxyAt()
  expect(await faultOf(start + address, [address])).toEqual(failure)
})

test('a SOCKS proxy that cannot reach the site, a name without an address and a private address are told apart', async () => {
  const address = await socks()
  const unreachable = await faultOf(`socks5://${address}`, [address], 'http://no-such-host.test')
  expect(unreachable).toEqual({ fault: 'tunnel_refused' })
  expect(await faultOf('http://no-such-proxy.test:3128', [])).toEqual({ fault: 'unresolved' })
  expect(await faultOf('http://10.0.0.1:3128', [])).toEqual({ fault: 'not_allowed' })
})

test('a proxy that answers nothing has timed out', async () => {
  const address = await forward({ failure: 'silent' })
  expect(await faultOf(`http://${address}`, [address], SITE, 200)).toEqual({ fault: 'timeout' })
})

async function faultOf(proxy: string, allow: string[], site = SITE, withinMs?: number): Promise<ProxyFailure> {
  const lookup = async () => {
    throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  }
  const egress = await startEgressProxy(createGuard(new Set(allow), site, lookup), createLogger('test', 'silent'))
  onTestFinished(() => egress.close())
  return findProxyFault(egress, proxy, new URL(site), new AbortController().signal, withinMs)
}
