import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import type { Route } from '@placefleet/shared/egress/pin'

/** One POST over a route whose address passed the egress guard. */
export type HttpsPost = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Aborts the call, e.g. at its deadline. */
  readonly signal: AbortSignal
  /** The response is cut after this many bytes. */
  readonly maxAnswerBytes: number
  /** Certificate authorities that replace those of the system, in PEM. */
  readonly ca?: string | undefined
}

const MAX_HEADER_BYTES = 16_384

/**
 * Posts to the vetted address over a connection of its own and gives the status once the whole answer was read, or as
 * much of it as is allowed; its body is thrown away. Redirects are answers like others, certificates are verified
 * against the URL's name. Rejects with what broke the connection, or with the signal's reason.
 */
export function httpsPost(route: Route, post: HttpsPost): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const fail = (error: unknown) => reject(post.signal.aborted ? post.signal.reason : error)
  const outgoing = request({
    agent: false, // a kept-alive connection would not be checked again
    host: route.address,
    port: route.port,
    servername: isIP(route.host) ? '' : route.host, // an address is not a server name
    method: 'POST',
    path: `${route.url.pathname}${route.url.search}`,
    headers: { ...post.headers, host: route.url.host, 'content-length': post.body.length, connection: 'close' },
    maxHeaderSize: MAX_HEADER_BYTES,
    signal: post.signal,
    ...(post.ca === undefined ? {} : { ca: post.ca }),
  })
  outgoing.on('error', fail)
  let answered = false
  outgoing.on('close', () => {
    if (!answered) fail(new Error('the connection was closed without an answer'))
  })
  outgoing.on('response', (answer) => {
    answered = true
    readAway(answer, post.maxAnswerBytes).then(() => {
      resolve(answer.statusCode ?? 0)
      outgoing.destroy()
    }, fail)
  })
  outgoing.end(post.body)
  return promise
}

async function readAway(answer: IncomingMessage, maxBytes: number): Promise<void> {
  let bytes = 0
  for await (const chunk of answer) {
    bytes += Buffer.byteLength(chunk)
    if (bytes >= maxBytes) return
  }
}
