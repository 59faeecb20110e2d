import { abortable } from '@placefleet/shared/timing'

/** Why Chromium returned no result: `timeout`, `crashed` (or killed), `unavailable` (it could not be started). */
export type BrowserFault = 'timeout' | 'crashed' | 'unavailable'

/** Work in Chromium that ended without a result. */
export class BrowserFailed extends Error {
  override readonly name = 'BrowserFailed'
  readonly fault: BrowserFault

  constructor(fault: BrowserFault, cause?: unknown) {
    super(`the browser failed: ${fault}`, { cause })
    this.fault = fault
  }
}

/**
 * Races a call to the browser against a timer and a signal, because most of these calls have no timeout. Throws
 * BrowserFailed('timeout') or the abort reason. The call itself continues, so the caller must close the page or context
 * that it works on.
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

/** Rethrows an error of a page unless it is Playwright's timeout. */
export function ignoreTimeout(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
}
