import type { RefusalRecord } from '@placefleet/deploy/simulation/map-site/counters'

const OF_A_BLOCK: ReadonlySet<RefusalRecord['refusal']> = new Set<RefusalRecord['refusal']>([
  'rate-limited',
  'blocked-still',
  'blocked',
])

/**
 * Counts the refusals of each exit, and those of requests that were sent during a rest. A request that arrived at the
 * site sooner after a refusal than the shortest rest was sent during that rest. A request that was in flight when the
 * site refused another one belongs to the same refusal.
 */
export function refusalsOf(refusals: readonly RefusalRecord[], shortestRestMs: number) {
  const last = new Map<string, number>()
  let count = 0
  let needless = 0
  for (const { refusal, address, askedAt, at } of refusals) {
    if (!OF_A_BLOCK.has(refusal)) continue
    count++
    const before = last.get(address) ?? Number.NEGATIVE_INFINITY
    if (askedAt <= before) continue
    if (askedAt - before < shortestRestMs) needless++
    last.set(address, at)
  }
  return { refused: count, needless }
}
