import { BrowserFailed } from './failure.ts'

/**
 * Races work that may never end, as most calls to a browser may not, against a timer and a signal. Throws BrowserFailed
 * or the abort reason; the work itself goes on unseen, so whoever calls must take away what it works on.
 */
export async function within<T>(work: Promise<T>, timeoutMs: number, signal?: AbortSignal): Promise<T> {
  work.catch(() => undefined) // it may fail long after nobody waits for it any more
  signal?.throwIfAborted()
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new BrowserFailed('timeout')), timeoutMs)
  const onAbort = () => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, interrupted])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
