import { abortable, monotonicNow } from '@placefleet/shared/timing'

/** Why Chromium returned no result: `timeout`, `crashed` (or killed), `unavailable` (it could not be started). */
type BrowserFault = 'timeout' | 'crashed' | 'unavailable'

/** Work in Chromium that ended without a result. */
export class BrowserFailed extends Error {
  override readonly name = 'BrowserFailed'
  readonly fault: BrowserFault

  constructor(fault: BrowserFault, cause?: unknown) {
    super(`the browser failed: ${fault}`, { cause })
    this.fault = fault
  }
}

/** Races a call to the browser against a timer and a signal. The caller closes the page or context of a late call. */
export async function within<T>(work: Promise<T>, timeoutMs: number, signal?: AbortSignal): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new BrowserFailed('timeout')), timeoutMs)
  try {
    return await abortable(work, signal ? AbortSignal.any([signal, late.signal]) : late.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** The time that work may take. It stands still while the work waits for something else than Chromium. */
export type TimeLimit = {
  /** Races the work like `within`. */
  race<T>(work: Promise<T>, signal: AbortSignal): Promise<T>
  /** Stops the clock until the returned function is called, which may be called twice. */
  pause(): () => void
  /** Aborts when the time is over. */
  readonly signal: AbortSignal
}

/** Creates a limit of so many milliseconds. Its clock runs from now on. */
export function createTimeLimit(ms: number): TimeLimit {
  const late = new AbortController()
  const end = () => late.abort(new BrowserFailed('timeout'))
  let leftMs = ms
  let startedAt = monotonicNow()
  let timer = setTimeout(end, leftMs)
  let pauses = 0
  const start = () => {
    startedAt = monotonicNow()
    timer = setTimeout(end, leftMs)
  }
  const stop = () => {
    clearTimeout(timer)
    leftMs -= monotonicNow() - startedAt
  }
  return {
    async race(work, signal) {
      try {
        return await abortable(work, AbortSignal.any([signal, late.signal]))
      } finally {
        clearTimeout(timer)
        pauses = Number.POSITIVE_INFINITY // nothing starts the clock again
      }
    },
    pause() {
      if (pauses++ === 0) stop()
      let isPaused = true
      return () => {
        if (isPaused && --pauses === 0) start()
        isPaused = false
      }
    },
    signal: late.signal,
  }
}

/** Rethrows an error of a page unless it is Playwright's timeout. */
export function ignoreTimeout(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
}
