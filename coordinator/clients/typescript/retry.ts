import { retryAfterOf } from './errors.ts'

export type RetryOptions = {
  /** The most attempts of a request. 1 means no retry. */
  attempts: number
  /** The longest `Retry-After` to wait for, in milliseconds. With a longer one, the error is returned at once. */
  longestWaitMs: number
}

type Fetch = (request: Request) => Promise<Response>

/** Statuses of temporary failures. */
const PASSING = [409, 429, 502, 503, 504]

const BASE_MS = 500
const LONGEST_BACKOFF_MS = 30_000

/**
 * Wraps `fetch` so that it retries temporary failures: 429 always, because the request had no effect; lost connections,
 * 502, 503 and 504 only for idempotent requests; 409 only when the server reports that the first attempt still runs.
 */
export function retryingFetch(fetch: Fetch, { attempts, longestWaitMs }: RetryOptions): Fetch {
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const outcome = await sendOnce(fetch, request)
      const waitMs = attempt < attempts ? waitBeforeNext(request, outcome, attempt) : undefined
      if (waitMs === undefined || waitMs > longestWaitMs) {
        if (outcome.failure === undefined) return outcome.response
        throw outcome.failure
      }
      await outcome.response?.body?.cancel()
      await sleep(waitMs, request.signal)
    }
  }
}

type Outcome = { response: Response; failure?: never } | { failure: Error; response?: never }

async function sendOnce(fetch: Fetch, request: Request): Promise<Outcome> {
  try {
    return { response: await fetch(request.clone()) }
  } catch (error) {
    return { failure: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Returns the delay before the next attempt, in milliseconds; undefined when there must be none. */
function waitBeforeNext(request: Request, { response }: Outcome, attempt: number): number | undefined {
  const backoff = backoffMs(attempt)
  if (request.signal.aborted) return undefined
  if (!response) return isRepeatable(request) ? backoff : undefined
  if (!PASSING.includes(response.status)) return undefined
  const seconds = retryAfterOf(response)
  if (response.status === 409 && seconds === undefined) return undefined
  if (response.status >= 500 && !isRepeatable(request)) return undefined
  return seconds === undefined ? backoff : Math.max(seconds * 1_000, backoff)
}

/** Returns whether a request is idempotent. */
const isRepeatable = ({ method, headers }: Request): boolean =>
  method === 'GET' || method === 'HEAD' || headers.has('idempotency-key')

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
