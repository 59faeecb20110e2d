import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type EgressGrant, startEgressProxy } from '@placefleet/agent/egress/egress-proxy'
import { createGuard } from '@placefleet/agent/egress/guard'
import { createHttpClient } from '@placefleet/agent/egress/http-client'
import { createLogger } from '@placefleet/shared/log'
import { Server as ChainServer } from 'proxy-chain'
import { expect, onTestFinished, test } from 'vitest'
import { listenOnFreePort } from '../../harness/network/serve.ts'

const log = createLogger('test', 'silent')

/** Starts a site, a proxy of a user, and the egress proxy with a client of it. `sent` counts what the other two saw. */
async function world({ allowUpstream = true } = {}) {
  const hits: string[] = []
  const site = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end('hello')
  })
  site.keepAliveTimeout = 60_000 // so that only the proxy closes a connection
  const { url: base } = await listenOnFreePort(site)
  const upstream = new ChainServer({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: ({ password }) => ({ requestAuthentication: password !== 'p:@%s' }),
  })
  await upstream.listen()
  const address = `127.0.0.1:${upstream.port}`
  const guard = createGuard(new Set(allowUpstream ? [address] : []), base)
  const egress = await startEgressProxy(guard, log)
  onTestFinished(async () => {
    await egress.close()
    await upstream.close(true)
  })
  const fetchWith = async (grant: EgressGrant, url: string, by = guard) => {
    const client = createHttpClient(by, grant)
    onTestFinished(() => client.close())
    const { signal } = new AbortController()
    return client.fetch({ url, signal, timeoutMs: 5_000, maxBytes: 10_000 })
  }
  const fetchOver = (proxy: string, path = '/a') => fetchWith(egress.grant({ proxy }), base + path)
  return {
    base,
    hits,
    egress,
    upstream,
    address,
    fetchWith,
    fetchOver,
    sent: () => upstream.stats.httpRequestCount + hits.length,
  }
}

const LOGIN = 'user:p%3A%40%25s'

test("a request goes through the user's proxy with its odd password", async () => {
  const { upstream, address, fetchOver } = await world()
  expect((await fetchOver(`http://${LOGIN}@${address}`)).body.toString()).toBe('hello')
  expect(upstream.stats.httpRequestCount).toBe(1)
})

test('a refused password is a fault of the proxy, and nothing is sent without the proxy', async () => {
  const { address, fetchOver, hits } = await world()
  await expect(fetchOver(`http://user:wrong@${address}`)).rejects.toMatchObject({ fault: 'proxy' })
  expect(hits).toEqual([])
})

test('a proxy that is not there is a fault of the proxy', async () => {
  const { upstream, address, fetchOver } = await world()
  await upstream.close(true)
  await expect(fetchOver(`socks5://${address}`)).rejects.toMatchObject({ fault: 'proxy' })
})

test('a proxy in a private network is not connected to', async () => {
  const { address, fetchOver, sent } = await world({ allowUpstream: false })
  await expect(fetchOver(`http://${LOGIN}@${address}`)).rejects.toMatchObject({ fault: 'proxy' })
  expect(sent()).toBe(0)
})

test("a private target is not asked for through the user's proxy", async () => {
  const [{ base, egress, address, fetchWith, sent }, trap] = [await world(), await world()]
  const lenient = createGuard(new Set(['127.0.0.1']), base)
  const grant = egress.grant({ proxy: `http://${LOGIN}@${address}` })
  expect((await fetchWith(grant, `${trap.base}/`, lenient)).status).toBe(403)
  expect(sent() + trap.sent()).toBe(0)
})

test('released grants and unknown credentials get no connection', async () => {
  const { base, egress, fetchWith, hits } = await world()
  const grant = egress.grant('direct')
  expect((await fetchWith(grant, `${base}/before`)).status).toBe(200)
  expect((await fetchWith({ ...grant, password: 'guessed' }, `${base}/stranger`)).status).toBe(403)
  grant.revoke()
  await Promise.allSettled([fetchWith(grant, `${base}/after`)])
  expect(hits).toEqual(['/before'])
})

test('a released grant closes its open tunnels, and leaves those of others open', async () => {
  const { base, egress } = await world()
  const [ended, other] = [egress.grant('direct'), egress.grant('direct')]
  const [tunnel, otherTunnel] = [await tunnelTo(base, ended), await tunnelTo(base, other)]
  expect(await ask(tunnel, '/before')).toContain('hello')
  ended.revoke()
  await once(tunnel, 'close', { signal: AbortSignal.timeout(10_000) })
  expect(await ask(otherTunnel, '/after')).toContain('hello')
})

/** Opens a tunnel with a grant, as Chromium does. */
async function tunnelTo(base: string, { server, username, password }: EgressGrant): Promise<Socket> {
  const socket = connect(Number(new URL(server).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const { host } = new URL(base)
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: Basic ${credentials}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 /)
  return socket
}

async function ask(tunnel: Socket, path: string): Promise<string> {
  tunnel.write(`GET ${path} HTTP/1.1\r\nHost: site\r\n\r\n`)
  const [answer] = await once(tunnel, 'data')
  return String(answer)
}
