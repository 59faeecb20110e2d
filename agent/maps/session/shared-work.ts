import { abortable } from '@placefleet/shared/timing'

/** Work that is done once for all tasks that want its result. */
export type SharedWork<T> = {
  /** The result. Starts the work unless it runs or is done. Throws its error, after which the next call starts anew. */
  get(signal: AbortSignal): Promise<T>
  /** Forgets the result and gives it, so that the next call starts anew. Undefined when no work was started. */
  forget(): Promise<T> | undefined
  isStarted(): boolean
}

/** Shared work that has not been started. When the task that started it is stopped, a waiting task starts it anew. */
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
    isStarted: () => run !== undefined,
  }
}
