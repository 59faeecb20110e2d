import type { RefusalRecord } from '@placefleet/deploy/simulation/map-site/counters'

/** The refusals of a run: how many there were, and how many of their requests were sent during a rest. */
export type Refusals = { readonly met: number; readonly needless: number }

const OF_A_BLOCK: ReadonlySet<RefusalRecord['refusal']> = new Set<RefusalRecord['refusal']>([
  'rate-limited',
  'blocked-still',
  'blocked',
])

/**
 * Counts the refusals of each exit. A request that arrived at the site sooner after a refusal than the shortest rest was
 * sent during that rest. A request that was in flight when the site refused another one belongs to the same refusal.
 */
export function refusalsOf(refused: readonly RefusalRecord[], shortestRestMs: number): Refusals {
  const last = new Map<string, number>()
  let met = 0
  let needless = 0
  for (const { refusal, address, askedAt, at } of refused) {
    if (!OF_A_BLOCK.has(refusal)) continue
    met++
    const before = last.get(address) ?? Number.NEGATIVE_INFINITY
    if (askedAt <= before) continue
    if (askedAt - before < shortestRestMs) needless++
    last.set(address, at)
  }
  return { met, needless }
}
