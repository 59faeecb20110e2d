import type { Place, PlaceReference } from '@placefleet/shared/place'

/** Receives what a task finds. Both calls wait while too much is unacknowledged: this is the backpressure. */
export type Sink = {
  references(found: PlaceReference[]): Promise<void>
  place(place: Place): Promise<void>
}

/** Passes items to a slow receiver in order, one batch at a time, without blocking the sender. */
export type Background<Item> = {
  send(items: readonly Item[]): void
  /** Waits until all items are received. Throws what the receiver threw. */
  done(): Promise<void>
}

/** Lets a browser page go on scrolling while the coordinator acknowledges: an open page has a time limit. */
export function inBackground<Item>(receive: (items: readonly Item[]) => Promise<void>): Background<Item> {
  let receiving = Promise.resolve()
  return {
    send(items) {
      receiving = receiving.then(() => receive(items))
      receiving.catch(() => undefined) // thrown by done()
    },
    done: () => receiving,
  }
}
