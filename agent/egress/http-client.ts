import type { CookieJar } from 'tough-cookie'
import { Agent, buildConnector, type Dispatcher, ProxyAgent, request } from 'undici'
import { ENCODINGS, readBody } from './body.ts'
import type { EgressGrant } from './egress-proxy.ts'
import { asFetchFailed, FetchFailed } from './failure.ts'
import { type Guard, pinTarget, vetTarget } from './guard.ts'
import { socketLookup } from './socket-lookup.ts'

/** One request. A redirect is an answer: the caller decides whether to follow it. */
export type FetchRequest = {
  readonly url: URL | string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** The header `priority`, which clients send over HTTP/2 only: here to https. */
  readonly priority?: string
  readonly body?: string
  /** The cookies: sent and updated. */
  readonly cookies?: CookieJar
  readonly signal: AbortSignal
  /** The timeout in milliseconds for everything: names, connections, bodies. */
  readonly timeoutMs: number
  /** The most decoded bytes that are read. */
  readonly maxBytes: number
}

/** The response. Header names are in lower case; repeated headers are joined by ", ". */
export type FetchAnswer = {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly truncated: boolean
}

/** An HTTP client with its own connections, kept alive until it is closed. */
export type HttpClient = {
  /** Throws FetchFailed, or the abort reason of the signal. */
  fetch(request: FetchRequest): Promise<FetchAnswer>
  /** Closes all connections. */
  close(): Promise<void>
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const CONNECT_MS = 10_000
/** The most characters of an answer's headers, as over HTTP/1.1. Over HTTP/2 undici allows four times as many. */
const MAX_HEADERS = 16_384

/** `keepAliveMs`: how long an unused connection stays open, unless the server says how long it keeps it. */
export type ClientOptions = { readonly keepAliveMs?: number; readonly verifiesCertificates?: boolean }

/** With a grant it connects through the egress proxy, else directly to checked addresses. */
export function createHttpClient(
  guard: Guard,
  grant?: EgressGrant,
  { keepAliveMs = 4_000, verifiesCertificates = true }: ClientOptions = {},
): HttpClient {
  const options = { keepAliveTimeout: keepAliveMs, allowH2: true }
  const tls = { rejectUnauthorized: verifiesCertificates }
  const dispatcher = grant
    ? new ProxyAgent({ ...options, ...upstream(grant), connectTimeout: CONNECT_MS, requestTls: tls })
    : new Agent({ ...options, connect: direct(guard, tls) })
  return {
    async fetch(requested) {
      requested.signal.throwIfAborted()
      const deadline = AbortSignal.timeout(requested.timeoutMs)
      try {
        vetTarget(new URL(requested.url), guard)
        const answer = await send(dispatcher, requested, AbortSignal.any([requested.signal, deadline]))
        return grant ? withoutProxyFault(answer) : answer
      } catch (error) {
        requested.signal.throwIfAborted()
        throw asFetchFailed(error, deadline.aborted, grant !== undefined)
      }
    },
    close: () => dispatcher.destroy(),
  }
}

function upstream({ server, username, password }: EgressGrant): { uri: string; token: string } {
  return { uri: server, token: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

/** One connector for each port, because a look-up gets only the name, and keeps sessions of TLS. */
function direct(guard: Guard, tls: { rejectUnauthorized: boolean }): buildConnector.connector {
  const byPort = new Map<number, buildConnector.connector>()
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
    const lookup = socketLookup((host) => pinTarget({ host, port }, guard))
    const connect = byPort.get(port) ?? buildConnector({ ...tls, timeout: CONNECT_MS, allowH2: true, lookup })
    byPort.set(port, connect)
    connect(options, callback)
  }
}

/** Returns where a redirect leads. Undefined for another answer. */
export function redirectOf({ url, status, headers: { location } }: FetchAnswer): URL | undefined {
  return REDIRECTS.has(status) && location !== undefined ? (URL.parse(location, url) ?? undefined) : undefined
}

async function send(dispatcher: Dispatcher, requested: FetchRequest, signal: AbortSignal): Promise<FetchAnswer> {
  const { href, protocol } = new URL(requested.url)
  const cookie = await requested.cookies?.getCookieString(href)
  const response = await request(href, {
    dispatcher,
    method: requested.method ?? 'GET',
    headers: {
      ...requested.headers,
      'Accept-Encoding': ENCODINGS,
      ...(cookie ? { Cookie: cookie } : {}),
      ...(requested.priority && protocol === 'https:' ? { priority: requested.priority } : {}),
    },
    body: requested.body ?? null,
    signal,
  })
  const headers = joined(response.headers)
  if (lengthOf(headers) > MAX_HEADERS) {
    response.body.on('error', () => undefined).destroy()
    throw new FetchFailed('network', new Error('the headers of the answer are too long'))
  }
  for (const line of [response.headers['set-cookie'] ?? []].flat()) {
    await requested.cookies?.setCookie(line, href, { ignoreError: true })
  }
  const body = await readBody(response.body, headers['content-encoding'], requested.maxBytes)
  return { url: href, status: response.statusCode, headers, ...body }
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const lines = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')])
  return Object.fromEntries(lines)
}

const lengthOf = (headers: Readonly<Record<string, string>>): number =>
  Object.entries(headers).reduce((length, [name, value]) => length + name.length + value.length, 0)

// proxy-chain reports faults of the user's proxy with these. No web server uses them.
function withoutProxyFault(answer: FetchAnswer): FetchAnswer {
  if (answer.status >= 590 && answer.status <= 599) throw new FetchFailed('proxy')
  return answer
}
