/** How a call ended for the one who made it: `unknown` when it may or may not have taken effect. */
export type Outcome = 'ok' | 'fail' | 'unknown'

/** What the API answered; without a status nothing was. */
export type Answer = { status?: number; body?: unknown; error?: string }

const TIMEOUT_MS = 20_000

/** Calls the public API once, and says what is known of the call's effect. Never throws. */
export async function callApi(
  base: string,
  key: string,
  method: string,
  path: string,
  { body, idempotencyKey }: { body?: unknown; idempotencyKey?: string } = {},
): Promise<{ outcome: Outcome; answer: Answer }> {
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { status, headers } = response
    const text = await response.text()
    const isJson = headers.get('content-type')?.includes('json') === true && text !== ''
    const outcome = status < 400 ? 'ok' : status >= 500 || status === 408 ? 'unknown' : 'fail'
    return { outcome, answer: { status, body: isJson ? JSON.parse(text) : text } }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const neverSent = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
    return { outcome: neverSent ? 'fail' : 'unknown', answer: { error: `${error}: ${cause}` } }
  }
}
