import { attempt, type Send } from './attempt.ts'
import { APIConnectionError, retryAfterOf } from './errors.ts'

export type RetryOptions = {
  /** The most attempts of a request. 1 means no retry. */
  attempts: number
  /** The longest `Retry-After` to wait for, in milliseconds. With a longer one, the error is returned at once. */
  longestWaitMs: number
}

/** Statuses of temporary failures. */
const RETRYABLE = [409, 429, 502, 503, 504]

const IDEMPOTENT = ['GET', 'HEAD', 'PUT', 'DELETE']

const BASE_MS = 500
const LONGEST_BACKOFF_MS = 30_000

export type SendOptions = RetryOptions & {
  /** The longest time of one attempt, in milliseconds. */
  timeoutMs: number
  /** Whether the body of the response is read later. */
  streams: boolean
  logger?: Logger | undefined
}

/**
 * Sends a request and retries temporary failures: 429 always, because the request had no effect; lost connections,
 * 502, 503 and 504 only for idempotent requests; 409 only when the server reports that the first attempt still runs.
 * @throws APIConnectionError when no attempt was answered, and the reason of the request's signal.
 */
export async function sendWithRetries(send: Send, request: Request, options: SendOptions): Promise<Response> {
  let mayBeDone = false
  for (let number = 1; ; number++) {
    const outcome = await outcomeOf(send, request, options)
    if (mayBeDone && outcome.response?.status === 404 && request.method === 'DELETE') return DELETED()
    const waitMs = number < options.attempts ? waitBeforeNext(request, outcome, number) : undefined
    if (waitMs === undefined || waitMs > options.longestWaitMs) {
      if (outcome.failure === undefined) return outcome.response
      throw outcome.failure
    }
    options.logger?.warn(`${nameOf(request)}: ${resultOf(outcome)}, again in ${Math.round(waitMs)} ms`)
    mayBeDone ||= outcome.response?.status !== 429
    await outcome.response?.body?.cancel()
    await sleep(waitMs, request.signal)
  }
}

/** The answer to a deletion that an earlier attempt has done, although its answer was lost. */
const DELETED = (): Response => new Response(null, { status: 204 })

type Outcome = { response: Response; failure?: never } | { failure: APIConnectionError; response?: never }

async function outcomeOf(send: Send, request: Request, options: SendOptions): Promise<Outcome> {
  const started = performance.now()
  const outcome = await attempt(send, request, options).then(
    (response): Outcome => ({ response }),
    (error: unknown): Outcome => {
      if (error instanceof APIConnectionError) return { failure: error }
      throw error
    },
  )
  const ms = Math.round(performance.now() - started)
  options.logger?.debug(`${nameOf(request)}: ${resultOf(outcome)} in ${ms} ms`)
  return outcome
}

const resultOf = ({ response, failure }: Outcome): string => (failure ? failure.message : String(response.status))

/** Returns the delay before the next attempt, in milliseconds; undefined when there must be none. */
function waitBeforeNext(request: Request, { response }: Outcome, failures: number): number | undefined {
  const backoff = backoffMs(failures)
  if (!response) return isIdempotent(request) ? backoff : undefined
  if (!RETRYABLE.includes(response.status)) return undefined
  const seconds = retryAfterOf(response)
  if (response.status === 409 && seconds === undefined) return undefined
  if (response.status >= 500 && !isIdempotent(request)) return undefined
  return seconds === undefined ? backoff : Math.max(seconds * 1_000, backoff)
}

const isIdempotent = ({ method, headers }: Request): boolean =>
  IDEMPOTENT.includes(method) || headers.has('idempotency-key')

/**
 * Returns the delay after this many failures in a row, in milliseconds. It has jitter, so that clients do not retry at
 * the same time.
 */
export const backoffMs = (failures: number, random = Math.random): number =>
  Math.min(BASE_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS) * (0.75 + 0.5 * random())

/**
 * Waits this many milliseconds.
 * @throws the reason of `signal` when it is aborted.
 */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Receives a line for each attempt and each retry, such as `console`. Lines hold no key, header, query or body. */
export type Logger = { debug(line: string): void; warn(line: string): void }

/** Returns what the log names a request by: its method and path. */
export const nameOf = ({ method, url }: Request): string => `${method} ${new URL(url).pathname}`
