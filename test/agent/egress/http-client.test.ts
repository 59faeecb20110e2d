import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { createGuard, type Guard } from '@placefleet/agent/egress/guard'
import { createHttpClient, type FetchRequest, type HttpClient, redirectOf } from '@placefleet/agent/egress/http-client'
import type { Lookup } from '@placefleet/shared/egress/resolve'
import { CookieJar } from 'tough-cookie'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../harness/network/serve.ts'
import { until } from '../../harness/until.ts'
import { volume } from '../../harness/volume.ts'

/** Starts a server that keeps the paths it was asked for. */
async function startSite(listener: RequestListener): Promise<{ port: number; hits: string[] }> {
  const hits: string[] = []
  const { port } = await serve((request, response) => {
    hits.push(request.url ?? '')
    listener(request, response)
  })
  return { port, hits }
}

function clientFor(guard: Guard): HttpClient {
  const client = createHttpClient(guard)
  onTestFinished(() => client.close())
  return client
}

const ask = (url: string, more: Partial<FetchRequest> = {}): FetchRequest => ({
  url,
  signal: new AbortController().signal,
  timeoutMs: 5_000,
  maxBytes: 1_000_000,
  ...more,
})

test.each(['http://127.0.0.1', 'http://127.1', 'http://[::ffff:127.0.0.1]', 'http://localhost', 'http://0x7f000001'])(
  'a loopback server cannot be reached as %s',
  async (origin) => {
    const trap = await startSite((_request, response) => response.end('caught'))
    const client = clientFor(createGuard(new Set(), 'https://maps.example'))
    await expect(client.fetch(ask(`${origin}:${trap.port}/`))).rejects.toMatchObject({ fault: 'refused' })
    expect(trap.hits).toEqual([])
  },
)

test('a public name that leads to a private address is refused', async () => {
  const trap = await startSite((_request, response) => response.end('caught'))
  const guard = createGuard(new Set(), 'https://maps.example', async () => [{ address: '127.0.0.1', family: 4 }])
  await expect(clientFor(guard).fetch(ask(`http://shop.example:${trap.port}/`))).rejects.toMatchObject({
    fault: 'refused',
  })
  expect(trap.hits).toEqual([])
})

test('without a name server the network is at fault, not the guard', async () => {
  const guard = createGuard(new Set(), 'https://maps.example', () => Promise.reject(new Error('queryA ECONNREFUSED')))
  await expect(clientFor(guard).fetch(ask('http://shop.example/'))).rejects.toMatchObject({
    fault: 'network',
    cause: { message: expect.stringContaining('check the network') },
  })
})

test('an exempt name is connected to at its own address', async () => {
  const site = await startSite((request, response) => response.end(request.headers.host))
  const guard = createGuard(new Set(['shop.example']), 'https://maps.example', async () => [
    { address: '127.0.0.1', family: 4 },
  ])
  const answer = await clientFor(guard).fetch(ask(`http://shop.example:${site.port}/`))
  expect(answer.body.toString()).toBe(`shop.example:${site.port}`)
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
] as const)('a decompression bomb is cut at the cap: %s', async (encoding, compress) => {
  const bomb = compress(Buffer.alloc(volume(20_000_000, 200_000_000)))
  const site = await startSite((_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
  )
  const answer = await clientFor(createGuard(new Set(), `http://127.0.0.1:${site.port}`)).fetch(
    ask(`http://127.0.0.1:${site.port}/`),
  )
  expect(answer.truncated).toBe(true)
  expect(answer.body.length).toBe(1_000_000)
})

test.each([
  ['as long as allowed is whole', 1_000_000, false],
  ['one byte longer is cut', 1_000_001, true],
])('a body that does not shrink: %s', async (_, length, truncated) => {
  const bytes = randomBytes(length)
  const site = await startSite((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes)),
  )
  const client = clientFor(createGuard(new Set(), `http://127.0.0.1:${site.port}`))
  const answer = await client.fetch(ask(`http://127.0.0.1:${site.port}/`))
  expect(answer.truncated).toBe(truncated)
  expect(answer.body.equals(bytes.subarray(0, 1_000_000))).toBe(true)
})

test('a body encoded twice is refused', async () => {
  const site = await startSite((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('hello'))),
  )
  await expect(
    clientFor(createGuard(new Set(), `http://127.0.0.1:${site.port}`)).fetch(ask(`http://127.0.0.1:${site.port}/`)),
  ).rejects.toMatchObject({ fault: 'encoding' })
})

const TEXT = 'hello '.repeat(1_000)

test.each<[encoding: string, body: Buffer]>([
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['deflate', deflateRawSync(TEXT, { level: 0 })],
  ['Deflate, identity', deflateRawSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['none', Buffer.from(TEXT)],
  ['UTF-8', Buffer.from(TEXT)],
  ['constructor', Buffer.from(TEXT)],
  ['', Buffer.from(TEXT)],
])('a body is read as browsers do: %s, %#', async (encoding, body) => {
  const site = await startSite((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding })
    response.write(body.subarray(0, 1))
    setTimeout(() => response.end(body.subarray(1)), 20)
  })
  const client = clientFor(createGuard(new Set(), `http://127.0.0.1:${site.port}`))
  const answer = await client.fetch(ask(`http://127.0.0.1:${site.port}/`))
  expect(answer.body.toString()).toBe(TEXT)
})

test('a body that never arrives ends at the deadline', async () => {
  const site = await startSite((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'deflate' }).flushHeaders(),
  )
  const client = clientFor(createGuard(new Set(), `http://127.0.0.1:${site.port}`))
  const late = client.fetch(ask(`http://127.0.0.1:${site.port}/`, { timeoutMs: 200 }))
  await expect(late).rejects.toMatchObject({ fault: 'timeout' })
})

test.each(['dcz', 'compress', 'deflate, br'])('a body in %s is a fault', async (encoding) => {
  const site = await startSite((_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end('x'),
  )
  const client = clientFor(createGuard(new Set(), `http://127.0.0.1:${site.port}`))
  await expect(client.fetch(ask(`http://127.0.0.1:${site.port}/`))).rejects.toMatchObject({ fault: 'encoding' })
})

test('a body in zstd is read', async () => {
  const site = await startSite((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'zstd' }).end(zstdCompressSync('hello')),
  )
  const client = clientFor(createGuard(new Set(), `http://127.0.0.1:${site.port}`))
  const { body } = await client.fetch(ask(`http://127.0.0.1:${site.port}/`))
  expect(body.toString()).toBe('hello')
})

test('a response that drips is ended by the total deadline', async () => {
  const site = await startSite((_request, response) => {
    const drip = setInterval(() => response.write(randomBytes(1)), 10)
    response.on('close', () => clearInterval(drip))
  })
  await expect(
    clientFor(createGuard(new Set(), `http://127.0.0.1:${site.port}`)).fetch(
      ask(`http://127.0.0.1:${site.port}/`, { timeoutMs: 200 }),
    ),
  ).rejects.toMatchObject({ fault: 'timeout' })
})

test('an abort rejects with its reason', async () => {
  const abort = new AbortController()
  const site = await startSite(() => abort.abort(new Error('job cancelled')))
  await expect(
    clientFor(createGuard(new Set(), `http://127.0.0.1:${site.port}`)).fetch(
      ask(`http://127.0.0.1:${site.port}/`, { signal: abort.signal }),
    ),
  ).rejects.toThrow('job cancelled')
})

test('a redirect is an answer, and its cookies are sent with the next request', async () => {
  const site = await startSite((request, response) => {
    if (request.url === '/start') response.writeHead(302, { 'set-cookie': 'NID=1; Path=/', location: '/end' }).end()
    else response.end(request.headers.cookie ?? 'none')
  })
  const origin = `http://127.0.0.1:${site.port}`
  const client = clientFor(createGuard(new Set(), origin))
  const cookies = new CookieJar()
  const answer = await client.fetch(ask(`${origin}/start`, { cookies }))
  expect([answer.status, redirectOf(answer)?.href]).toEqual([302, `${origin}/end`])
  expect((await client.fetch(ask(`${origin}/end`, { cookies }))).body.toString()).toBe('NID=1')
})

test('the second address of a name is tried where the first does not connect, and a private one never', async () => {
  const site = await startSite((_request, response) => response.end('second'))
  const trap = await startSite((_request, response) => response.end('caught'))
  const lookup: Lookup = async (name) => {
    if (name === 'mixed.example')
      return [
        { address: '127.0.0.1', family: 4 },
        { address: '192.0.2.1', family: 4 },
      ]
    return [
      { address: '127.0.0.9', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
  }
  const client = clientFor({ allow: new Set([`two.example:${site.port}`]), lookup })
  const answer = await client.fetch(ask(`http://two.example:${site.port}/`))
  expect(answer.body.toString()).toBe('second')
  await expect(client.fetch(ask(`http://mixed.example:${trap.port}/`))).rejects.toMatchObject({ fault: 'refused' })
  expect(trap.hits).toEqual([])
})

test('an unused connection stays open as long as the client was told', async () => {
  const connections = new Set<Socket>()
  const { url } = await serve((request, response) => {
    connections.add(request.socket)
    response.setHeader('connection', 'keep-alive') // so that Node does not say how long it keeps it
    response.end()
  })
  const guard = createGuard(new Set(), url)
  const [lasting, brief] = [createHttpClient(guard, undefined, { keepAliveMs: 120_000 }), createHttpClient(guard)]
  onTestFinished(async () => void (await Promise.all([lasting.close(), brief.close()])))
  await lasting.fetch(ask(url))
  await brief.fetch(ask(url))
  const [, second] = connections
  await until('the brief client closes its connection', () => second?.destroyed === true)
  await lasting.fetch(ask(url))
  expect(connections.size).toBe(2)
  await brief.fetch(ask(url))
  expect(connections.size).toBe(3)
}, 20_000)
