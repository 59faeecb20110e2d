/**
 * Which missing places a monitor probes, and from when on a place that it sees first is new.
 *
 * The map site omits places from each answer at random: four equal runs agreed on half of the places that they saw
 * together. So a run that misses a place proves nothing. Only a probe, which requests the place directly, decides that it
 * is gone; the formulas choose the places, so they cannot make a false `gone`. They treat runs as independent and places
 * as alike.
 *
 * 1. The share of the known places that the last whole run missed (the half is Jeffreys' prior for a proportion, 1946):
 *
 *        m = (missed + 1/2) / (known + 1)
 *
 * 2. A run misses an existing place n times in a row with the probability m^n (geometric distribution). A place is probed
 *    when this is below 2 %, after 2 to 5 whole runs. Then the next run probes, so `gone` takes six runs at most.
 * 3. The expected number of places that exist and that none of the runs 1 to r found:
 *
 *        unseen = known * m2 * m3 * ... * mr
 *
 *    Below 0.01 a place that was never seen before is new. The first run misses no known place, so it has no m.
 *
 * Example: runs that miss 46 % of 1,000 places probe after 5 misses (0.46^5 = 2 %), and report new ones after the
 * 16th run (1,000 * 0.46^15 = 0.009). Runs that miss 2 % do so after 2 misses and after the fourth run.
 *
 * Where some places are harder to find than others, formula 2 costs more probes, and formula 3 may call an old one new.
 */

/** What the whole runs of a monitor missed. */
export type Misses = {
  /** Places that the monitor knows and that were not gone after the last whole run. */
  known: number
  /** The share m of the last whole run. */
  share: number
  /** The product of the shares of all whole runs. */
  product: number
}

const SUSPICIOUS = 0.02
const FEWEST_MISSES = 2
const MOST_MISSES = 5

/** Below this many unseen places, a place that was never seen before counts as new. */
const FEW_UNSEEN = 0.01

/** Returns how many whole runs in a row must miss a place before the next one probes it. */
export function missesBeforeProbe({ share }: Pick<Misses, 'share'> = { share: 1 }): number {
  const runs = share < 1 ? Math.ceil(Math.log(SUSPICIOUS) / Math.log(share)) : MOST_MISSES
  return Math.min(Math.max(runs, FEWEST_MISSES), MOST_MISSES)
}

/** Returns whether a place that no run found before is a new one. */
export const knowsArea = (misses: Misses | undefined): boolean =>
  misses !== undefined && misses.known * misses.product < FEW_UNSEEN

/** What one whole run found: known places afterwards, and of those that it knew before, how many it missed. */
export type RunCounts = { known: number; before: number; missed: number }

/** Returns the misses of a monitor after one more whole run. The first run knew no place before. */
export function missesAfter(misses: Misses | undefined, { known, before, missed }: RunCounts): Misses {
  if (before === 0) return { known, share: misses?.share ?? 1, product: misses?.product ?? 1 }
  const share = (missed + 0.5) / (before + 1)
  return { known, share, product: (misses?.product ?? 1) * share }
}
