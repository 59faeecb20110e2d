import { constants, Http2ServerResponse } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Exchange, errorReply, type Reply, readCookies } from './exchange.ts'
import type { Request, Response } from './listener.ts'
import type { SiteOptions } from './options.ts'
import { chance } from './random.ts'

const MOST_BODY = 1_000_000

const readBody = async (request: Request): Promise<string> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size <= MOST_BODY) parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const decoded = (path: string) => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // malformed escapes stay as they are, as they do on the real site
  }
}

/** Reads a request. Bodies are text; what exceeds 1 MB is dropped. */
export async function readExchange(request: Request, origin: string): Promise<Exchange> {
  const url = new URL(request.url ?? '/', origin)
  return {
    method: request.method ?? 'GET',
    url,
    path: decoded(url.pathname),
    headers: request.headers,
    cookies: readCookies(request.headers.cookie),
    address: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    body: request.method === 'POST' ? await readBody(request) : '',
    askedAt: Date.now(),
    nth: 0,
  }
}

const SMALL = 1_400

/** Sends an answer. Compresses it if `gzip` is set and the client accepts gzip. */
export function send(response: Response, reply: Reply, gzip: boolean, acceptEncoding: string): void {
  const plain = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
  const compress = gzip && plain.length > SMALL && /\bgzip\b/.test(acceptEncoding)
  const body = compress ? gzipSync(plain, { level: 1 }) : plain
  writeHead(response, reply.status, {
    ...reply.headers,
    ...(reply.cookies ? { 'set-cookie': reply.cookies } : {}),
    ...(compress ? { 'content-encoding': 'gzip' } : {}),
    'content-length': String(body.length),
    server: 'ESF',
  })
  response.end(body)
}

function writeHead(response: Response, status: number, headers: Record<string, string | string[]>): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
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

const GARBAGE = 'ÿþ\u0000<<<{"[[[not the requested body'

/** Sends an injected failure instead of the reply. */
export function sendFault(response: Response, fault: Fault, reply: Reply): void {
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
  switch (fault) {
    case 'reset':
      closeEarly(response)
      break
    case 'error':
      send(response, errorReply(500), false, '')
      break
    case 'garbage':
      send(response, { ...reply, status: 200, body: GARBAGE }, false, '')
      break
    case 'cut':
      writeHead(response, reply.status, { ...reply.headers, 'content-length': String(body.length) })
      closeEarly(response, body.subarray(0, Math.floor(body.length / 2)))
  }
}

const FAULTS = ['error', 'reset', 'cut', 'garbage'] as const
/** The kinds of injected failures: status 500, a connection reset, a truncated body, or a garbage body. */
export type Fault = (typeof FAULTS)[number]

/** Returns the fault of request number `nth`, if any. It depends only on the seed and the number. */
export function faultOf(seed: number, nth: number, { failureRate }: SiteOptions): Fault | undefined {
  const dice = chance(seed, nth, 9001)
  return dice.happens(failureRate) ? dice.pick(FAULTS) : undefined
}

/** Waits as long as the options delay request number `nth`. */
export async function delay(seed: number, nth: number, { latencyMs }: SiteOptions): Promise<void> {
  const wait = latencyMs.min + chance(seed, nth, 9002).next() * (latencyMs.max - latencyMs.min)
  if (wait > 0) await sleep(wait)
}
