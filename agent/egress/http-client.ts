import { pipeline, type Readable, type Transform } from 'node:stream'
import zlib, { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { CookieJar } from 'tough-cookie'
import { Agent, buildConnector, type Dispatcher, ProxyAgent, request } from 'undici'
import type { EgressGrant } from './egress-proxy.ts'
import { asFetchFailed, FetchFailed } from './failure.ts'
import { type Guard, pinTarget, vetTarget } from './guard.ts'

/** One request; redirects are followed up to five, each hop vetted. */
export type FetchRequest = {
  readonly url: URL | string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Sent and filled on every hop. */
  readonly cookies?: CookieJar
  readonly signal: AbortSignal
  /** Milliseconds for everything: names, connections, redirects, bodies. */
  readonly timeoutMs: number
  /** Most decoded bytes that are read; what comes behind is cut off. */
  readonly maxBytes: number
}

/** What came back. `url` is the last one; header names are in lower case, repeated ones joined by ", ". */
export type FetchAnswer = {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly truncated: boolean
}

/** A client with connections of its own, kept alive until it is closed. */
export type HttpClient = {
  /** Throws FetchFailed, or the abort reason of the signal. */
  fetch(request: FetchRequest): Promise<FetchAnswer>
  /** Cuts all connections. */
  close(): Promise<void>
}

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const CONNECT_MS = 10_000

/** A client that connects to vetted addresses itself, or, with a grant, through the egress proxy. */
export function createHttpClient(guard: Guard, grant?: EgressGrant): HttpClient {
  const dispatcher = grant ? proxied(grant) : direct(guard)
  return {
    fetch: (wanted) => follow({ dispatcher, guard, proxied: grant !== undefined }, wanted),
    close: () => dispatcher.destroy(),
  }
}

type Route = { readonly dispatcher: Dispatcher; readonly guard: Guard; readonly proxied: boolean }

function direct(guard: Guard): Dispatcher {
  const connect = buildConnector({ timeout: CONNECT_MS, allowH2: true })
  return new Agent({
    allowH2: true,
    connect(options, callback) {
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
      pinTarget({ host: options.hostname, port }, guard).then(
        ({ address, host }) =>
          connect({ ...options, hostname: address, ...serverName(options, host, address) }, callback),
        (error: Error) => callback(error, null),
      )
    },
  })
}

// TLS must ask for the name, not for the address that it was pinned to; a literal has no name to ask for.
function serverName(options: buildConnector.Options, host: string, address: string): { servername?: string } {
  return options.protocol === 'https:' && host !== address ? { servername: options.servername ?? host } : {}
}

function proxied({ server, username, password }: EgressGrant): Dispatcher {
  const token = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return new ProxyAgent({ uri: server, token, connectTimeout: CONNECT_MS, allowH2: true })
}

async function follow(route: Route, wanted: FetchRequest): Promise<FetchAnswer> {
  wanted.signal.throwIfAborted()
  const deadline = AbortSignal.timeout(wanted.timeoutMs)
  const signal = AbortSignal.any([wanted.signal, deadline])
  let hop: Hop = { url: new URL(wanted.url), method: wanted.method ?? 'GET', body: wanted.body }
  try {
    for (let redirects = 0; ; redirects++) {
      vetTarget(hop.url, route.guard)
      const answer = await once(route.dispatcher, hop, wanted, signal)
      const next = nextHop(hop, answer)
      if (!next) return route.proxied ? withoutProxyFault(answer) : answer
      if (redirects === MAX_REDIRECTS) throw new FetchFailed('redirects')
      hop = next
    }
  } catch (error) {
    wanted.signal.throwIfAborted()
    throw asFetchFailed(error, deadline.aborted, route.proxied)
  }
}

type Hop = { readonly url: URL; readonly method: 'GET' | 'POST'; readonly body: string | undefined }

function nextHop(hop: Hop, { status, headers }: FetchAnswer): Hop | undefined {
  const { location } = headers
  const url = REDIRECTS.has(status) && location !== undefined ? URL.parse(location, hop.url.href) : null
  if (!url) return undefined
  const keeps = status === 307 || status === 308 || hop.method === 'GET'
  return keeps ? { ...hop, url } : { url, method: 'GET', body: undefined }
}

async function once(dispatcher: Dispatcher, hop: Hop, wanted: FetchRequest, signal: AbortSignal): Promise<FetchAnswer> {
  const cookie = await wanted.cookies?.getCookieString(hop.url.href)
  const response = await request(hop.url, {
    dispatcher,
    method: hop.method,
    headers: { ...wanted.headers, 'Accept-Encoding': ENCODINGS, ...(cookie ? { Cookie: cookie } : {}) },
    body: hop.body ?? null,
    signal,
  })
  const headers = joined(response.headers)
  for (const line of [response.headers['set-cookie'] ?? []].flat()) {
    await wanted.cookies?.setCookie(line, hop.url.href, { ignoreError: true })
  }
  const body = await readBody(response.body, headers['content-encoding'], wanted.maxBytes)
  return { url: hop.url.href, status: response.statusCode, headers, ...body }
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const lines = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')])
  return Object.fromEntries(lines)
}

// proxy-chain answers with these where the user's proxy did not do its part; no server of the web uses them.
function withoutProxyFault(answer: FetchAnswer): FetchAnswer {
  if (answer.status >= 590 && answer.status <= 599) throw new FetchFailed('proxy')
  return answer
}

/** A body, decoded; `truncated` when more than was allowed would have come. */
export type Body = { readonly body: Buffer; readonly truncated: boolean }

const DECODERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])
// Node has it since 22.15.
if ('createZstdDecompress' in zlib) DECODERS.set('zstd', () => zlib.createZstdDecompress())

/** What can be read, as browsers name it. */
export const ENCODINGS = ['gzip', 'deflate', 'br', 'zstd'].filter((name) => DECODERS.has(name)).join(', ')

// What else compresses. Any other word is a mistake of the server ("none", "utf-8"), and its body comes as it is.
const UNREADABLE = new Set(['compress', 'x-compress', 'zstd', 'dcb', 'dcz'])

/**
 * Reads a body to its end or to `maxBytes` decoded bytes, whichever comes first, and never holds more than that: a
 * small compressed body can be gigabytes of text. One layer of encoding is undone; more, or one we cannot read, is a
 * fault. As in browsers, `deflate` may come without its zlib header, and words that name no encoding say nothing.
 */
export async function readBody(raw: Readable, encoding: string | undefined, maxBytes: number): Promise<Body> {
  raw.on('error', () => undefined) // destroying it half-read is an error to the stream, not to us
  const decoded = await decode(raw, encoding ?? '')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of decoded) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    chunks.push(bytes.subarray(0, maxBytes - size))
    size += bytes.length
    if (size > maxBytes) break // leaving the loop destroys the stream
  }
  if (size > maxBytes) raw.destroy()
  return { body: Buffer.concat(chunks), truncated: size > maxBytes }
}

async function decode(raw: Readable, encoding: string): Promise<Readable> {
  const words = encoding.split(',').map((word) => word.trim().toLowerCase())
  const [name, ...others] = words.filter((word) => DECODERS.has(word) || UNREADABLE.has(word))
  if (name === undefined) return raw
  const decoder = DECODERS.get(name)
  if (!decoder || others.length > 0) {
    raw.destroy()
    throw new FetchFailed('encoding')
  }
  const create = name === 'deflate' && !(await hasZlibHeader(raw)) ? createInflateRaw : decoder
  // The loop that reads the decoder sees the errors of both; the callback keeps them from being unhandled.
  return pipeline(raw, create(), () => undefined)
}

// RFC 1950: the low half of the first byte names the method, 8. No block of raw deflate that is in use begins so.
async function hasZlibHeader(raw: Readable): Promise<boolean> {
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    raw.unshift(chunk)
    return Buffer.isBuffer(chunk) && ((chunk[0] ?? 0) & 0x0f) === 8
  }
  return true
}
