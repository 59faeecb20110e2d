import { abortable } from '@placefleet/shared/timing'

/** Work that runs once for all tasks that need its result. */
export type SharedWork<T> = {
  /** Returns the result. Starts the work unless it runs or is done. After an error the next call starts it again. */
  get(signal: AbortSignal): Promise<T>
  /**
   * Returns the result and forgets it, so that the next call starts the work again. Undefined when no work was started.
   */
  forget(): Promise<T> | undefined
}

/** Creates shared work. When the task that started it stops, a waiting task starts it again. */
export function createSharedWork<T>(start: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
  type Run = { readonly signal: AbortSignal; readonly done: Promise<T> }
  let run: Run | undefined
  const begin = (signal: AbortSignal): Run => {
    const begun = { signal, done: start(signal) }
    begun.done.catch(() => {
      if (run === begun) run = undefined
    })
    return begun
  }
  return {
    async get(signal) {
      for (;;) {
        signal.throwIfAborted()
        run ??= begin(signal)
        const { done, signal: owner } = run
        try {
          return await abortable(done, signal)
        } catch (error) {
          signal.throwIfAborted()
          if (!owner.aborted) throw error
        }
      }
    },
    forget() {
      const forgotten = run?.done
      run = undefined
      return forgotten
    },
  }
}
