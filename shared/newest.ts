/**
 * Sets a key of a map as its newest one. When the map has more than `most` keys, removes and returns the oldest entry.
 */
export function setNewest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
): readonly [Key, Value] | undefined {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.size > most ? map : []
  if (oldest) map.delete(oldest[0])
  return oldest
}
