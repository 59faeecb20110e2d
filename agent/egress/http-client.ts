import type { CookieJar } from 'tough-cookie'
import { Agent, buildConnector, type Dispatcher, ProxyAgent, request } from 'undici'
import { ENCODINGS, readBody } from './body.ts'
import type { EgressGrant } from './egress-proxy.ts'
import { asFetchFailed, FetchFailed } from './failure.ts'
import { type Guard, pinTarget, vetTarget } from './guard.ts'

/** One request. Up to five redirects are followed, unless the caller wants them. The guard checks each hop. */
export type FetchRequest = {
  readonly url: URL | string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** `returned`: the caller gets a redirect as the answer. */
  readonly redirects?: 'followed' | 'returned'
  /** The cookies: sent and updated on every hop. */
  readonly cookies?: CookieJar
  readonly signal: AbortSignal
  /** The timeout in milliseconds for everything: names, connections, redirects, bodies. */
  readonly timeoutMs: number
  /** The most decoded bytes that are read. */
  readonly maxBytes: number
}

/**
 * The response. `url` is the last one of the redirects. Header names are in lower case; repeated headers are joined by
 * ", ".
 */
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

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const CONNECT_MS = 10_000
/** The most characters of an answer's headers, as over HTTP/1.1. Over HTTP/2 undici allows four times as many. */
const MAX_HEADERS = 16_384

/** Creates a client. With a grant it connects through the egress proxy, otherwise directly to checked addresses. */
export function createHttpClient(guard: Guard, grant?: EgressGrant): HttpClient {
  const dispatcher = grant ? proxied(grant) : direct(guard)
  return {
    fetch: (requested) => follow({ dispatcher, guard, proxied: grant !== undefined }, requested),
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

// TLS needs the name, not the pinned address. A literal address has no name.
function serverName(options: buildConnector.Options, host: string, address: string): { servername?: string } {
  return options.protocol === 'https:' && host !== address ? { servername: options.servername ?? host } : {}
}

function proxied({ server, username, password }: EgressGrant): Dispatcher {
  const token = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return new ProxyAgent({ uri: server, token, connectTimeout: CONNECT_MS, allowH2: true })
}

async function follow(route: Route, requested: FetchRequest): Promise<FetchAnswer> {
  requested.signal.throwIfAborted()
  const deadline = AbortSignal.timeout(requested.timeoutMs)
  const signal = AbortSignal.any([requested.signal, deadline])
  let hop: Hop = { url: new URL(requested.url), method: requested.method ?? 'GET', body: requested.body }
  try {
    for (let redirects = 0; ; redirects++) {
      vetTarget(hop.url, route.guard)
      const answer = await once(route.dispatcher, hop, requested, signal)
      const next = nextHop(hop, answer)
      if (!next || requested.redirects === 'returned') return route.proxied ? withoutProxyFault(answer) : answer
      if (redirects === MAX_REDIRECTS) throw new FetchFailed('redirects')
      hop = next
    }
  } catch (error) {
    requested.signal.throwIfAborted()
    throw asFetchFailed(error, deadline.aborted, route.proxied)
  }
}

type Hop = { readonly url: URL; readonly method: 'GET' | 'POST'; readonly body: string | undefined }

/** Returns where a redirect leads. Undefined for another answer. */
export function redirectOf({ url, status, headers: { location } }: FetchAnswer): URL | undefined {
  return REDIRECTS.has(status) && location !== undefined ? (URL.parse(location, url) ?? undefined) : undefined
}

function nextHop(hop: Hop, answer: FetchAnswer): Hop | undefined {
  const { status } = answer
  const url = redirectOf(answer)
  if (!url) return undefined
  const keeps = status === 307 || status === 308 || hop.method === 'GET'
  return keeps ? { ...hop, url } : { url, method: 'GET', body: undefined }
}

async function once(
  dispatcher: Dispatcher,
  hop: Hop,
  requested: FetchRequest,
  signal: AbortSignal,
): Promise<FetchAnswer> {
  const cookie = await requested.cookies?.getCookieString(hop.url.href)
  const response = await request(hop.url, {
    dispatcher,
    method: hop.method,
    headers: { ...requested.headers, 'Accept-Encoding': ENCODINGS, ...(cookie ? { Cookie: cookie } : {}) },
    body: hop.body ?? null,
    signal,
  })
  const headers = joined(response.headers)
  if (lengthOf(headers) > MAX_HEADERS) {
    response.body.on('error', () => undefined).destroy()
    throw new FetchFailed('network', new Error('the headers of the answer are too long'))
  }
  for (const line of [response.headers['set-cookie'] ?? []].flat()) {
    await requested.cookies?.setCookie(line, hop.url.href, { ignoreError: true })
  }
  const body = await readBody(response.body, headers['content-encoding'], requested.maxBytes)
  return { url: hop.url.href, status: response.statusCode, headers, ...body }
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
