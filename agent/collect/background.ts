/** Hands items on while something else goes on, in order, one batch after the other. */
export type Background<Item> = {
  hand(items: readonly Item[]): void
  /** Waits until all are handed on. Throws what handing on threw. */
  done(): Promise<void>
}

/** For a page of the browser, which must not stay open, its time running, while the coordinator takes its time. */
export function inBackground<Item>(emit: (items: readonly Item[]) => Promise<void>): Background<Item> {
  let emitting = Promise.resolve()
  return {
    hand(items) {
      emitting = emitting.then(() => emit(items))
      emitting.catch(() => undefined) // thrown by done()
    },
    done: () => emitting,
  }
}
