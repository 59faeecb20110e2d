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
