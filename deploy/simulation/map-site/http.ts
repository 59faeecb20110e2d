import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type Exchange, errorReply, type Reply } from './exchange.ts'

/** An HTTP/1.1 or HTTP/2 request. */
export type Request = IncomingMessage | Http2ServerRequest
/** An HTTP/1.1 or HTTP/2 response. */
export type Response = ServerResponse | Http2ServerResponse

const readCookies = (header = ''): Map<string, string> => {
  const pairs = header.split(';').map((pair) => pair.trim().split('='))
  return new Map(pairs.filter(([name]) => name).map(([name = '', ...value]) => [name, value.join('=')]))
}

/** Reads a request. Bodies are text. */
export async function readExchange(request: Request, origin: string): Promise<Exchange> {
  const url = new URL(request.url ?? '/', origin)
  return {
    method: request.method ?? 'GET',
    url,
    path: decodeURIComponent(url.pathname),
    hl: url.searchParams.get('hl') ?? 'en',
    headers: request.headers,
    cookies: readCookies(request.headers.cookie),
    address: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    body: request.method === 'POST' ? await text(request) : '',
    askedAt: Date.now(),
    nth: 0,
  }
}

const SMALL = 1_400

/** Sends an answer. Compresses it if `gzip` is set and the client accepts gzip. */
export function send(
  response: Response,
  reply: Reply,
  { gzip, headers }: { gzip: boolean } & Pick<Exchange, 'headers'>,
): void {
  const plain = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
  const compress = gzip && plain.length > SMALL && /\bgzip\b/.test(String(headers['accept-encoding']))
  const body = compress ? gzipSync(plain, { level: 1 }) : plain
  writeHead(response, reply, body.length)
  if (compress) response.setHeader('content-encoding', 'gzip')
  response.end(body)
}

function writeHead(response: Response, { status, headers, cookies }: Reply, length: number): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (cookies) response.setHeader('set-cookie', cookies)
  response.setHeader('content-length', length)
  response.setHeader('server', 'ESF')
}

export const FAULTS = ['error', 'reset', 'cut', 'garbage'] as const
/** The kinds of injected failures: status 500, a connection reset, a truncated body, or a garbage body. */
export type Fault = (typeof FAULTS)[number]

const GARBAGE = 'ÿþ\u0000<<<{"[[[not the requested body'

/** Sends an injected failure instead of the reply. */
export function sendFault(response: Response, fault: Fault, reply: Reply): void {
  const plain = { gzip: false, headers: {} }
  const body = Buffer.from(reply.body)
  switch (fault) {
    case 'error':
      send(response, errorReply(500), plain)
      break
    case 'garbage':
      send(response, { ...reply, status: 200, body: GARBAGE }, plain)
      break
    case 'reset':
      closeEarly(response)
      break
    case 'cut':
      writeHead(response, reply, body.length)
      closeEarly(response, body.subarray(0, Math.floor(body.length / 2)))
  }
}

/** Closes the connection (HTTP/2: the stream) after `part` of a body. */
function closeEarly(response: Response, part?: Buffer): void {
  if (response instanceof Http2ServerResponse) {
    const { stream } = response
    if (part) response.write(part, () => stream.close(constants.NGHTTP2_INTERNAL_ERROR))
    else stream.close(constants.NGHTTP2_REFUSED_STREAM)
  } else if (part) response.write(part, () => response.socket?.destroy())
  else response.socket?.resetAndDestroy()
}
