/** A limited number of slots. Work waits for a free one. */
export type Slots = { run<T>(work: () => Promise<T>, signal: AbortSignal, owner?: object): Promise<T> }

type Waiting = { readonly owner: object; readonly call: () => void }

/**
 * Creates `count` slots, which limit how much work runs at once. A free slot goes to the owner with the fewest slots,
 * and among equals to the one that waited longest. When the signal aborts, waiting ends with the abort reason.
 */
export function createSlots(count: number): Slots {
  const anybody = {}
  const waiting = new Set<Waiting>()
  const running = new Map<object, number>()
  let free = count
  const change = (owner: object, by: number) => {
    const left = (running.get(owner) ?? 0) + by
    if (left > 0) running.set(owner, left)
    else running.delete(owner)
  }
  const give = () => {
    const next = ownerWithFewest(waiting, running)
    if (!next) return void free++
    change(next.owner, 1)
    next.call()
  }
  return {
    async run(work, signal, owner = anybody) {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        change(owner, 1)
      } else await turn(waiting, owner, signal)
      try {
        return await work()
      } finally {
        change(owner, -1)
        give()
      }
    },
  }
}

function ownerWithFewest(waiting: ReadonlySet<Waiting>, running: ReadonlyMap<object, number>): Waiting | undefined {
  const has = ({ owner }: Waiting) => running.get(owner) ?? 0
  return [...waiting].reduce<Waiting | undefined>(
    (best, one) => (best && has(best) <= has(one) ? best : one),
    undefined,
  )
}

function turn(waiting: Set<Waiting>, owner: object, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(place)
      signal.removeEventListener('abort', aborted)
    }
    const call = () => {
      leave()
      resolve()
    }
    const aborted = () => {
      leave()
      reject(signal.reason)
    }
    const place = { owner, call }
    waiting.add(place)
    signal.addEventListener('abort', aborted, { once: true })
  })
}
