import type { Refused } from '@placefleet/deploy/simulation/map-site/counters'

/** What the refusals of a run say: how many there were, after how many began a rest, and how many came during one. */
export type Refusals = { readonly met: number; readonly needless: number }

const OF_A_BLOCK: ReadonlySet<Refused['refusal']> = new Set<Refused['refusal']>([
  'rate-limited',
  'blocked-still',
  'blocked',
])

/**
 * Counts refusals of an exit. One that follows another sooner than the shortest rest came during that rest: at most one,
 * the canary, is to be met for each.
 */
export function refusalsOf(refused: readonly Refused[], shortestRestMs: number): Refusals {
  const last = new Map<string, number>()
  let met = 0
  let needless = 0
  for (const { refusal, address, at } of refused) {
    if (!OF_A_BLOCK.has(refusal)) continue
    met++
    if (at - (last.get(address) ?? Number.NEGATIVE_INFINITY) < shortestRestMs) needless++
    last.set(address, at)
  }
  return { met, needless }
}
