import type { Pinned, Route } from '@placefleet/shared/egress/pin'
import { httpsPost } from '../https-post.ts'
import type { AttemptResult } from './documents.ts'

/** What came of it. The error is one of a few texts of ours: nothing of the answer is kept. */
export type SendResult = AttemptResult & { ok: boolean }

/** What is sent. */
export type Message = { headers: Record<string, string>; body: Buffer }

/** How it is sent: the milliseconds there are for it, and authorities in place of the system's, in PEM. */
export type Sending = { timeoutMs: number; ca?: string | undefined }

const MAX_ANSWER_BYTES = 65_536

const REFUSED = 'The URL does not lead to a public address.'
const TOO_LATE = 'There was no complete answer in time.'
const TEXTS: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  EPIPE: 'The connection was reset.',
  ENETUNREACH: 'The address cannot be reached.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ETIMEDOUT: TOO_LATE,
  CERT_SIGNATURE_FAILURE: 'The certificate is not trusted.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is not trusted.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is not trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is not trusted.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate is not trusted.',
  UNABLE_TO_GET_ISSUER_CERT: 'The certificate is not trusted.',
}

/** Makes one attempt over a pinned URL. Never throws: a refused connection is an attempt. */
export async function send(pinned: Pinned, message: Message, sending: Sending): Promise<SendResult> {
  const startedAt = performance.now()
  const outcome = pinned.ok ? await post(pinned.route, message, sending) : refusal(pinned.reason)
  return { ...outcome, duration_ms: Math.round(performance.now() - startedAt) }
}

type Outcome = Omit<SendResult, 'duration_ms'>

async function post(route: Route, message: Message, { timeoutMs, ca }: Sending): Promise<Outcome> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const status_code = await httpsPost(route, { ...message, signal, ca, maxAnswerBytes: MAX_ANSWER_BYTES })
    if (status_code >= 200 && status_code <= 299) return { ok: true, status_code }
    const redirected = status_code >= 300 && status_code <= 399
    const error = redirected ? 'Redirects are not followed.' : 'The answer was not a 2xx.'
    return { ok: false, status_code, error }
  } catch (error) {
    return { ok: false, error: signal.aborted ? TOO_LATE : textOf(error) }
  }
}

function refusal(reason: (Pinned & { ok: false })['reason']): Outcome {
  return { ok: false, error: reason === 'lookup_failed' ? 'The name could not be looked up.' : REFUSED }
}

function textOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (TEXTS[code] !== undefined) return TEXTS[code]
  if (/^(ERR_SSL|ERR_TLS|CERT_|EPROTO)/.test(code)) return 'No secure connection came about.'
  return /^HPE_/.test(code) ? 'The answer is not HTTP, or its headers are too large.' : 'The connection broke.'
}
