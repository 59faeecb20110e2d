import { retryAfterOf } from './errors.ts'

export type RetryOptions = {
  /** How often a request is sent at most. 1: never again. */
  attempts: number
  /** The longest `Retry-After` that is waited for, in milliseconds. A longer one is reported at once. */
  longestWaitMs: number
}

type Fetch = (request: Request) => Promise<Response>

/** Answers that may be different in a moment. */
const PASSING = [409, 429, 502, 503, 504]

const BASE_MS = 500
const LONGEST_BACKOFF_MS = 30_000

/**
 * Wraps `fetch` so that passing failures are tried again: 429 always, because nothing was done; lost connections, 502, 503
 * and 504 only where a repetition changes nothing; 409 only when the server says that the first attempt still runs.
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

/** How long to wait before the next attempt, in milliseconds. Undefined: there should be none. */
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

/** Whether sending a request twice does what sending it once does. */
const isRepeatable = ({ method, headers }: Request): boolean =>
  method === 'GET' || method === 'HEAD' || headers.has('idempotency-key')

/** The wait after so many failures in a row, in milliseconds. It varies, so that many clients do not return together. */
export const backoffMs = (failures: number, random = Math.random): number =>
  Math.min(BASE_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS) * (0.75 + 0.5 * random())

/**
 * Waits so many milliseconds.
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
