import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { startEgressProxy } from '@placefleet/agent/egress/egress-proxy'
import { createGuard, type Guard } from '@placefleet/agent/egress/guard'
import { createHttpClient, type FetchRequest, redirectOf } from '@placefleet/agent/egress/http-client'
import type { Lookup } from '@placefleet/shared/egress/resolve'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { createLogger } from '@placefleet/shared/log'
import { CookieJar } from 'tough-cookie'
import { describe, expect, onTestFinished, test } from 'vitest'
import { forwardProxy } from '../../harness/network/proxies.ts'
import { listenOnFreePort, serve } from '../../harness/network/serve.ts'
import { trustedAuthority } from '../../harness/network/trusted-authority.ts'
import { until } from '../../harness/until.ts'
import { volume } from '../../harness/volume.ts'

/** Returns a way to fetch with a client behind a guard. Its last argument changes the request. */
function fetcher(guard: Guard, ...options: [grant?: Parameters<typeof createHttpClient>[1], more?: object]) {
  const client = createHttpClient(guard, ...options)
  onTestFinished(() => client.close())
  const { signal } = new AbortController()
  return (url: string, more: Partial<FetchRequest> = {}) =>
    client.fetch({ url, signal, timeoutMs: 5_000, maxBytes: 1_000_000, ...more })
}

/** Starts a site and fetches its front page. */
async function fetched(listener: RequestListener, more: Partial<FetchRequest> = {}) {
  const { url } = await serve(listener)
  return fetcher(createGuard(new Set(), url))(`${url}/`, more)
}

/** Starts a site that nobody may reach. It keeps the paths it was asked for. */
async function startTrap() {
  const hits: string[] = []
  const { port } = await serve((request, response) => response.end(`caught ${hits.push(request.url ?? '')}`))
  return { port, hits }
}

const PUBLIC_SITE = 'https://maps.example'
const leadsTo =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address, family: 4 }))

describe('a server of this machine', () => {
  test.each(['http://127.0.0.1', 'http://127.1', 'http://[::ffff:127.0.0.1]', 'http://localhost', 'http://0x7f000001'])(
    'cannot be reached as %s',
    async (origin) => {
      const trap = await startTrap()
      const fetch = fetcher(createGuard(new Set(), PUBLIC_SITE))
      await expect(fetch(`${origin}:${trap.port}/`)).rejects.toMatchObject({ fault: 'refused' })
      expect(trap.hits).toEqual([])
    },
  )

  test.each([
    ['a public name that leads to it', ['127.0.0.1']],
    ['a public name with it among its addresses', ['127.0.0.1', '192.0.2.1']],
  ])('cannot be reached by %s', async (_, addresses) => {
    const trap = await startTrap()
    const fetch = fetcher(createGuard(new Set(), PUBLIC_SITE, leadsTo(...addresses)))
    await expect(fetch(`http://shop.example:${trap.port}/`)).rejects.toMatchObject({ fault: 'refused' })
    expect(trap.hits).toEqual([])
  })

  test('is reached by an exempt name at its own address, also at the second if the first does not connect', async () => {
    const { port } = await serve((request, response) => response.end(request.headers.host))
    for (const addresses of [['127.0.0.1'], ['127.0.0.9', '127.0.0.1']]) {
      const fetch = fetcher(createGuard(new Set(['shop.example']), PUBLIC_SITE, leadsTo(...addresses)))
      expect((await fetch(`http://shop.example:${port}/`)).body.toString()).toBe(`shop.example:${port}`)
    }
  })
})

test('without a name server the network is at fault, not the guard', async () => {
  const guard = createGuard(new Set(), PUBLIC_SITE, () => Promise.reject(new Error('queryA ECONNREFUSED')))
  await expect(fetcher(guard)('http://shop.example/')).rejects.toMatchObject({
    fault: 'network',
    cause: { message: expect.stringContaining('check the network') },
  })
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
] as const)('a decompression bomb is cut at the cap: %s', async (encoding, compress) => {
  const bomb = compress(Buffer.alloc(volume(20_000_000, 200_000_000)))
  const answer = await fetched((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(bomb)
  })
  expect(answer.truncated).toBe(true)
  expect(answer.body.length).toBe(1_000_000)
})

test.each([
  ['as long as allowed is whole', 1_000_000, false],
  ['one byte longer is cut', 1_000_001, true],
])('a body that does not shrink: %s', async (_, length, truncated) => {
  const bytes = randomBytes(length)
  const answer = await fetched((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes))
  })
  expect(answer.truncated).toBe(truncated)
  expect(answer.body.equals(bytes.subarray(0, 1_000_000))).toBe(true)
})

const TEXT = 'hello '.repeat(1_000)

test.each<[encoding: string, body: Buffer]>([
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['deflate', deflateRawSync(TEXT, { level: 0 })],
  ['Deflate, identity', deflateRawSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['zstd', zstdCompressSync(TEXT)],
  ['none', Buffer.from(TEXT)],
  ['UTF-8', Buffer.from(TEXT)],
  ['constructor', Buffer.from(TEXT)],
  ['', Buffer.from(TEXT)],
])('a body is read as browsers do: %s, %#', async (encoding, body) => {
  const answer = await fetched((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding })
    response.write(body.subarray(0, 1), () => setImmediate(() => response.end(body.subarray(1))))
  })
  expect(answer.body.toString()).toBe(TEXT)
})

test.each([
  ['gzip, gzip', gzipSync(gzipSync(TEXT))],
  ['deflate, br', Buffer.from('x')],
  ['dcz', Buffer.from('x')],
  ['compress', Buffer.from('x')],
])('a body in %s is a fault', async (encoding, body) => {
  const answer = fetched((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(body)
  })
  await expect(answer).rejects.toMatchObject({ fault: 'encoding' })
})

test.each<[string, RequestListener]>([
  ['never arrives', (_request, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).flushHeaders()],
  [
    'drips',
    (_request, response) => {
      const drip = setInterval(() => response.write(randomBytes(1)), 10)
      response.on('close', () => clearInterval(drip))
    },
  ],
])('a body that %s ends at the deadline', async (_, listener) => {
  await expect(fetched(listener, { timeoutMs: 200 })).rejects.toMatchObject({ fault: 'timeout' })
})

test('an abort rejects with its reason', async () => {
  const abort = new AbortController()
  const answer = fetched(() => abort.abort(new Error('job cancelled')), { signal: abort.signal })
  await expect(answer).rejects.toThrow('job cancelled')
})

test('a redirect is an answer, and its cookies are sent with the next request', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/start') response.writeHead(302, { 'set-cookie': 'NID=1; Path=/', location: '/end' }).end()
    else response.end(request.headers.cookie ?? 'none')
  })
  const fetch = fetcher(createGuard(new Set(), url))
  const cookies = new CookieJar()
  const answer = await fetch(`${url}/start`, { cookies })
  expect([answer.status, redirectOf(answer)?.href]).toEqual([302, `${url}/end`])
  expect((await fetch(`${url}/end`, { cookies })).body.toString()).toBe('NID=1')
})

test('an unused connection stays open as long as the client was told', async () => {
  const connections = new Set<Socket>()
  const { url } = await serve((request, response) => {
    connections.add(request.socket)
    response.setHeader('connection', 'keep-alive') // so that Node does not say how long it keeps it
    response.end()
  })
  const guard = createGuard(new Set(), url)
  const [lasting, brief] = [fetcher(guard, undefined, { keepAliveMs: 120_000 }), fetcher(guard)]
  await lasting(url)
  await brief(url)
  const [, second] = connections
  await until('the brief client closes its connection', () => second?.destroyed === true)
  await lasting(url)
  expect(connections.size).toBe(2)
  await brief(url)
  expect(connections.size).toBe(3)
}, 20_000)

test.each(['directly', 'through a proxy'])('HTTP/2 is used if the server offers it, %s', async (way) => {
  const identity = await (await trustedAuthority()).issue(['127.0.0.1'])
  const server = createSecureServer({ ...identity, allowHTTP1: true }, (request, response) => {
    response.end(request.httpVersion)
  })
  const { host } = await listenOnFreePort(server)
  const proxy = await forwardProxy()
  const guard = createGuard(parseAllowHosts(`${host},${proxy.address}`), `https://${host}`)
  const egress = await startEgressProxy(guard, createLogger('test', 'silent'))
  onTestFinished(() => egress.close())
  const fetch = fetcher(guard, way === 'directly' ? undefined : egress.grant({ proxy: proxy.url }))
  const both = [await fetch(`https://${host}/`), await fetch(`https://${host}/`)]
  expect(both.map(({ body }) => body.toString())).toEqual(['2.0', '2.0'])
})
