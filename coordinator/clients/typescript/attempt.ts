import { APIConnectionError, APITimeoutError } from './errors.ts'

export type Send = (request: Request) => Promise<Response>

/**
 * Sends a request once. The time limit covers the whole response; with `streams` only its beginning, because a download
 * may take as long as it likes.
 * @throws APITimeoutError, APIConnectionError, and the reason of the request's signal.
 */
export async function attempt(
  send: Send,
  request: Request,
  { timeoutMs, streams }: { timeoutMs: number; streams: boolean },
): Promise<Response> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  try {
    const signal = AbortSignal.any([request.signal, limit.signal])
    const response = await send(new Request(request.clone(), { signal }))
    return streams && response.ok ? response : await whole(response)
  } catch (cause) {
    if (request.signal.aborted) throw request.signal.reason
    throw limit.signal.aborted ? timedOut(timeoutMs) : unreachable(cause)
  } finally {
    clearTimeout(timer)
  }
}

/** Statuses whose responses must not have a body. */
const WITHOUT_BODY = [204, 205, 304]

async function whole(response: Response): Promise<Response> {
  const body = await response.arrayBuffer()
  return new Response(WITHOUT_BODY.includes(response.status) ? null : body, response)
}

function timedOut(timeoutMs: number): APITimeoutError {
  const message = `Placefleet did not answer within ${timeoutMs / 1_000} seconds. Try again, or pass a higher timeoutMs.`
  return new APITimeoutError({ status: 0, body: { error: 'timeout', message } })
}

/** `fetch` says only that it failed; its cause says why. */
function unreachable(error: unknown): APIConnectionError {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const message = `Placefleet does not answer: ${reasonOf(cause)}. Check the address of the service.`
  return new APIConnectionError({ status: 0, body: { error: 'no_connection', message }, cause })
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if (cause.message !== '') return cause.message
  return 'code' in cause ? String(cause.code) : cause.name
}
