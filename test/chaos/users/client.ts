import type { Outcome } from './history.ts'

/** What the API answered; without a status nothing was. */
export type Answer = { status?: number; headers?: Headers; body?: unknown; error?: string }

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
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
    const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
    return { outcome: outcomeOf(response.status), answer }
  } catch (error) {
    return { outcome: neverSent(error) ? 'fail' : 'unknown', answer: { error: textOf(error) } }
  }
}

const outcomeOf = (status: number): Outcome =>
  status < 400 ? 'ok' : status >= 500 || status === 408 ? 'unknown' : 'fail'

const causeOf = (error: unknown) => (error instanceof Error ? error.cause : undefined)

const neverSent = (error: unknown): boolean => {
  const cause = causeOf(error)
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

const textOf = (error: unknown): string => {
  const cause = causeOf(error)
  return `${error instanceof Error ? error.message : error}${cause instanceof Error ? `: ${cause.message}` : ''}`
}
