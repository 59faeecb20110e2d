import { abortable } from '@placefleet/shared/abortable'
import { BrowserFailed } from './failure.ts'

/**
 * Races work that may never end, as most calls to a browser may not, against a timer and a signal. Throws BrowserFailed
 * or the abort reason; the work itself goes on unseen, so whoever calls must take away what it works on.
 */
export async function within<T>(work: Promise<T>, timeoutMs: number, signal?: AbortSignal): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new BrowserFailed('timeout')), timeoutMs)
  try {
    return await abortable(work, signal ? AbortSignal.any([signal, late.signal]) : late.signal)
  } finally {
    clearTimeout(timer)
  }
}
