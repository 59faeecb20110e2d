import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for `work` until the signal aborts, then throws the signal's reason. The work itself is not cancelled.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined) // after an abort the work is not awaited, and its failure must not end the process
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Returns the result of work, or undefined when it takes longer. The work itself goes on. */
export async function inTime<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Milliseconds to wait before retry number `attempt`: `base × 2^(attempt − 1)`, at most `cap`, times a random factor in
 * [0.5, 1.5), so that a fleet that failed together does not retry together.
 */
export function backoffMs(attempt: number, base: number, cap: number, random: () => number = Math.random): number {
  return Math.min(base * 2 ** Math.max(0, attempt - 1), cap) * (0.5 + random())
}

/** Resolves after `ms` milliseconds, or at once when the signal aborts. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

/**
 * The time in milliseconds since the process started. Waits and deadlines use it: they would last too long by the wall
 * clock when that is set back.
 */
export const monotonicNow = (): number => performance.now()

/** Calls `act` at most once in `ms` milliseconds; the calls between are dropped. For log lines that would repeat. */
export function atMostEvery<Given extends unknown[]>(
  ms: number,
  act: (...given: Given) => void,
  now: () => number = monotonicNow,
): (...given: Given) => void {
  let last = Number.NEGATIVE_INFINITY
  return (...given) => {
    if (now() - last < ms) return
    last = now()
    act(...given)
  }
}
