import { LRUCache } from 'lru-cache'

/**
 * Creates a cache of the `most` entries that were used last. It limits their number as a size, because with `max` the
 * library takes the memory of all entries at once.
 */
export const createCache = <Value extends {}>(
  most: number,
  options: { dispose?: (value: Value) => void } = {},
): LRUCache<string, Value> => new LRUCache({ maxSize: most, sizeCalculation: () => 1, ...options })

/** Returns a function that loads once, when it is first called. A load that failed is tried again at the next call. */
export function loadedOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}

/** How many of something each key has now. A key without any takes no memory. */
type Tally = {
  of(key: string): number
  /** The keys that have at least this many. */
  atLeast(count: number): string[]
  add(key: string): void
  remove(key: string): void
}

export function createTally(): Tally {
  const counts = new Map<string, number>()
  const of = (key: string) => counts.get(key) ?? 0
  return {
    of,
    atLeast: (count) => [...counts].flatMap(([key, has]) => (has >= count ? key : [])),
    add: (key) => void counts.set(key, of(key) + 1),
    remove(key) {
      if (of(key) > 1) counts.set(key, of(key) - 1)
      else counts.delete(key)
    },
  }
}
