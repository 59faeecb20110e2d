/** Whether an agent takes tasks: who fills its slots waits while it does not. */
export type Pause = {
  /** Begins or ends the pause. */
  set(paused: boolean): void
  /** Resolves when no pause is on, or when the signal aborts. */
  over(signal: AbortSignal): Promise<void>
  /** Aborts when the next pause begins; that of a pause that is on has aborted. */
  begins(): AbortSignal
}

/** No pause yet. */
export function createPause(): Pause {
  let beginning = new AbortController()
  let resumed = Promise.withResolvers<void>()
  return {
    set(paused) {
      if (paused === beginning.signal.aborted) return
      if (paused) {
        beginning.abort()
        return
      }
      beginning = new AbortController()
      resumed.resolve()
      resumed = Promise.withResolvers()
    },
    async over(signal) {
      const aborted = Promise.withResolvers<void>()
      const onAbort = () => aborted.resolve()
      signal.addEventListener('abort', onAbort, { once: true })
      while (beginning.signal.aborted && !signal.aborted) await Promise.race([resumed.promise, aborted.promise])
      signal.removeEventListener('abort', onAbort)
    },
    begins: () => beginning.signal,
  }
}
