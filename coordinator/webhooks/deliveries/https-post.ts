import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import type { Route } from '@placefleet/shared/egress/pin'
import { createCache } from '../../cache.ts'

/** One POST over a route whose address passed the egress guard. */
type HttpsPost = {
  /** All headers of the request. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Aborts the call, e.g. at its deadline. */
  readonly signal: AbortSignal
  /** The response is cut after this many bytes. */
  readonly maxAnswerBytes: number
  /** How many of its first bytes are kept. */
  readonly keepBytes: number
  /** Certificate authorities that replace those of the system, in PEM. */
  readonly ca?: string | undefined
}

/** The status of a response, and the first bytes of its body. */
type HttpsAnswer = { status_code: number; start: Buffer }

const MAX_HEADER_BYTES = 16_384

/** How many receivers' sessions are remembered. */
const MAX_SESSIONS = 1_000

/** The latest TLS session of each receiver at a checked address. Resuming it takes a fraction of a whole handshake. */
const sessions = createCache<Buffer>(MAX_SESSIONS)

/**
 * Posts to the checked address over a new connection. Resolves when the response is read, up to the maximum length.
 * Redirects are not followed, and certificates are verified against the host name of the URL. Rejects with the error of
 * the connection, or with the signal's reason.
 */
export function httpsPost(route: Route, post: HttpsPost): Promise<HttpsAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpsAnswer>()
  const receiver = [route.host, route.address, route.port, post.ca].join(' ')
  const session = sessions.get(receiver)
  const fail = (error: unknown) => reject(post.signal.aborted ? post.signal.reason : error)
  const outgoing = request({
    agent: false, // a kept-alive connection would not be checked again
    host: route.address,
    port: route.port,
    servername: isIP(route.host) ? '' : route.host, // an address is not a server name
    method: 'POST',
    path: `${route.url.pathname}${route.url.search}`,
    headers: post.headers,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal: post.signal,
    ...(post.ca === undefined ? {} : { ca: post.ca }),
    ...(session && { session }),
  })
  outgoing.on('socket', (socket) => socket.on('session', (next: Buffer) => sessions.set(receiver, next)))
  outgoing.on('error', fail)
  let answered = false
  outgoing.on('close', () => {
    if (!answered) fail(new Error('the connection was closed without an answer'))
  })
  outgoing.on('response', (answer) => {
    answered = true
    readStart(answer, post).then((start) => {
      resolve({ status_code: answer.statusCode ?? 0, start })
      outgoing.destroy()
    }, fail)
  })
  outgoing.end(post.body)
  return promise
}

async function readStart(answer: IncomingMessage, { maxAnswerBytes, keepBytes }: HttpsPost): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    if (bytes < keepBytes) chunks.push(chunk.subarray(0, keepBytes - bytes))
    bytes += chunk.length
    if (bytes >= maxAnswerBytes) break
  }
  return Buffer.concat(chunks)
}
