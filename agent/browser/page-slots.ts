import { abortable } from '@placefleet/shared/timing'
import pLimit from 'p-limit'

/** A limited number of slots. Work waits for a free one. */
export type Slots = { run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> }

/** Creates `count` slots, which limit how much work runs at once. Waiting for one ends with the abort reason. */
export function createSlots(count: number): Slots {
  const limit = pLimit(count)
  return {
    async run(work, signal) {
      const slot = Promise.withResolvers<void>()
      const over = Promise.withResolvers<void>()
      void limit(() => {
        slot.resolve()
        return over.promise
      })
      try {
        await abortable(slot.promise, signal)
        return await work()
      } finally {
        over.resolve()
      }
    },
  }
}
