import { LRUCache } from 'lru-cache'

/**
 * Creates a cache of the entries that were used last, at most so many. With `max`, the library takes the memory of all of
 * them at once; counted by size, they take it as they come.
 */
export const createCache = <Value extends {}>(
  most: number,
  options: { dispose?: (value: Value) => void } = {},
): LRUCache<string, Value> => new LRUCache({ maxSize: most, sizeCalculation: () => 1, ...options })
