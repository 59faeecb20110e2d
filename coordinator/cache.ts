import { LRUCache } from 'lru-cache'

/**
 * Creates a cache of the `most` entries that were used last. It limits their number as a size, because with `max` the
 * library takes the memory of all entries at once.
 */
export const createCache = <Value extends {}>(
  most: number,
  options: { dispose?: (value: Value) => void } = {},
): LRUCache<string, Value> => new LRUCache({ maxSize: most, sizeCalculation: () => 1, ...options })
