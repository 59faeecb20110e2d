import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import type { PinResult, Route } from '@placefleet/shared/egress/pin'
import { createCache } from '../../cache.ts'
import type { AttemptResult } from './documents.ts'

/** The result of an attempt. The error is one of our texts. */
type SendResult = AttemptResult & { ok: boolean }

/** The request to send. */
export type Message = { headers: Record<string, string>; body: Buffer }

/** The timeout, and certificate authorities that replace those of the system, in PEM. */
type Sending = { timeoutMs: number; ca?: string | undefined }

const MAX_ANSWER_BYTES = 65_536

/** How many bytes of a response its owner sees. */
const KEPT_ANSWER_BYTES = 1_024

const REFUSED =
  'The URL does not resolve to a public address. The operator can allow a private host in WEBHOOK_ALLOW_HOSTS.'
const TOO_LATE = 'The response timed out.'
const TEXTS: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  EPIPE: 'The connection was reset.',
  ENETUNREACH: 'The address cannot be reached.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ETIMEDOUT: TOO_LATE,
  CERT_SIGNATURE_FAILURE: 'The certificate is not trusted.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is not trusted.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is not trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is not trusted.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate is not trusted.',
  UNABLE_TO_GET_ISSUER_CERT: 'The certificate is not trusted.',
}

/** Makes one attempt to a pinned URL. Never throws: a refused connection is a failed attempt. */
export async function send(pinned: PinResult, message: Message, sending: Sending): Promise<SendResult> {
  const startedAt = performance.now()
  const outcome = pinned.ok ? await postAll(pinned.route, message, sending) : refusal(pinned.reason)
  return { ...outcome, duration_ms: Math.round(performance.now() - startedAt) }
}

type Outcome = Omit<SendResult, 'duration_ms'>

/** Posts a message with the headers that HTTP needs besides its own, and returns all of them with the outcome. */
async function postAll(route: Route, { headers: own, body }: Message, sending: Sending): Promise<Outcome> {
  const headers = { ...own, host: route.url.host, 'content-length': String(body.length), connection: 'close' }
  return { headers, ...(await post(route, { headers, body }, sending)) }
}

async function post(route: Route, message: Message, { timeoutMs, ca }: Sending): Promise<Outcome> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const reading = { maxAnswerBytes: MAX_ANSWER_BYTES, keepBytes: KEPT_ANSWER_BYTES }
    const { status_code, start } = await httpsPost(route, { ...message, signal, ca, ...reading })
    const answer = { status_code, ...(start.length > 0 ? { response_body: textOfBytes(start) } : {}) }
    if (status_code >= 200 && status_code <= 299) return { ok: true, ...answer }
    const redirected = status_code >= 300 && status_code <= 399
    const error = redirected ? 'Redirects are not followed.' : 'The response was not a 2xx.'
    return { ok: false, ...answer, error }
  } catch (error) {
    return { ok: false, error: signal.aborted ? TOO_LATE : textOf(error) }
  }
}

// `stream` omits a character that the cut split.
const textOfBytes = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true })

function refusal(reason: (PinResult & { ok: false })['reason']): Outcome {
  return { ok: false, error: reason === 'lookup_failed' ? 'The host name could not be resolved.' : REFUSED }
}

function textOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (TEXTS[code] !== undefined) return TEXTS[code]
  if (/^(ERR_SSL|ERR_TLS|CERT_|EPROTO)/.test(code)) return 'The TLS handshake failed.'
  return /^HPE_/.test(code) ? 'The response is not valid HTTP, or its headers are too large.' : 'The connection failed.'
}

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
function httpsPost(route: Route, post: HttpsPost): Promise<HttpsAnswer> {
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
