/** A number of slots that work waits for in turn. */
export type Slots = { run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> }

/**
 * At most `count` pieces of work run at once; the others wait, first come, first served. Waiting ends with the abort
 * reason when the signal aborts.
 */
export function createSlots(count: number): Slots {
  const waiting = new Set<() => void>()
  let free = count
  const give = () => {
    const [next] = waiting
    if (next) next()
    else free++
  }
  return {
    async run(work, signal) {
      signal.throwIfAborted()
      if (free > 0) free--
      else await turn(waiting, signal)
      try {
        return await work()
      } finally {
        give()
      }
    },
  }
}

function turn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(called)
      signal.removeEventListener('abort', aborted)
    }
    const called = () => {
      leave()
      resolve()
    }
    const aborted = () => {
      leave()
      reject(signal.reason)
    }
    waiting.add(called)
    signal.addEventListener('abort', aborted, { once: true })
  })
}
