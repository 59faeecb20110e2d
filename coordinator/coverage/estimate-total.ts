import { areaOf } from '@placefleet/shared/cell'
import type { AuditedCellDocument } from './documents.ts'
import type { BoundedCell } from './sample.ts'

/**
 * Estimates how many places an area has, by capture-recapture. The audit of a job searches some cells twice more.
 *
 * 1. Unseen places of these cells: the log-linear model without a three-way interaction (Fienberg, Biometrika 59, 1972).
 *    n101 counts the places that the job and the second search of the audit found, and the first one did not:
 *
 *        u = (n111 n100 n010 n001) / (n110 n101 n011)
 *
 *    It allows each pair of searches to depend on one another: a place that is hard to find is hard for all of them.
 *    Two searches must be independent: u = n10 n01 / n11. One is added to each n against the bias of small numbers
 *    (Chapman, Univ. California Publ. Statist. 1, 1951), except to the places that only one search of the audit found:
 *    where the audit finds nothing new, u is 0.
 * 2. Missed places of the whole area: a ratio estimate (Cochran, Sampling Techniques, 1977, chapter 6). In the audited cells
 *    the job found b places, and only the audit a places. In the area the job found B. Each of them stands for equally many
 *    missed ones; the a places are found by now:
 *
 *        h = u + (B / b - 1) (u + a)
 *
 * 3. Its variance: the jackknife over the k cells (Tukey, Ann. Math. Statist. 29, 1958). hi omits cell i.
 *    For fewer than four cells it is the variance of log u instead, the sum of 1 / (n + 1) (Fienberg).
 *
 *        v = (k - 1) / k * sum of (log(hi + 1/2) - their mean)^2
 *
 * 4. Its interval: log-normal (Chao, Biometrics 43, 1987), t the 97.5 % quantile of Student's distribution for k - 1
 *    degrees of freedom. The second term is the variance of a count (Poisson):
 *
 *        (h + 1/2) * exp(+-sqrt(t^2 v + z^2 / (h + 1/2))) - 1/2
 *
 * Example: one cell with n111 = 50, n110 = 20, n101 = 15, n100 = 10, n011 = 6, n010 = 4, n001 = 3 has
 * u = h = 51 * 11 * 4 * 3 / (21 * 16 * 7) = 2.86. With its 108 found places these are 110.9, between 108 and 134.0.
 *
 * A place that the map site hides from every search is in no n. No estimate includes it.
 */

/** How many places there are: the likeliest number, and the interval that holds it in 95 of 100 cases. */
export type TotalEstimate = { total: number; low: number; high: number }

/**
 * The places of a cell by the searches that found them: bit 0 of an index is the job, bits 1 and 2 are the searches of the
 * audit. So n110 is at 0b011. The model divides the groups of an odd number of searches by those of an even one.
 */
type Groups = readonly number[]

const JOB = 0b001
const ODD: readonly number[] = [0b001, 0b010, 0b100, 0b111]
const OF_ONE_AUDIT: readonly number[] = [0b010, 0b100]

/** With fewer cells, Student's quantile is so large that the interval says nothing. */
const FEWEST_CELLS = 4

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959964

/**
 * Estimates how many places the searched area has.
 * @param dark the places of the cells that were not searched whole.
 * @param listed the different places that all searches of the job listed, the audit's included.
 * @returns undefined when the audit got no answer, or saw none of the places that the job had found.
 */
export function estimateTotal(
  audited: readonly Pick<AuditedCellDocument, 'before' | 'shifted' | 'reworded'>[],
  dark: UnsearchedPlaces,
  listed: number,
): TotalEstimate | undefined {
  const answers = audited.map(({ before, shifted, reworded }) =>
    [before, shifted, reworded].filter((keys) => keys !== undefined),
  )
  const most = Math.max(0, ...answers.map(({ length }) => length))
  const cells = answers.filter(({ length }) => length === most).map(groupsOf)
  if (most < 2 || (listed > 0 && foundBefore(pool(cells)) === 0)) return undefined
  const missed = missedPlaces(pool(cells), listed)
  const factor = Math.exp(Math.sqrt(spread(cells, listed) + Z ** 2 / (missed + 0.5)))
  return {
    total: listed + missed + dark.likely,
    low: listed + Math.max(0, (missed + 0.5) / factor - 0.5),
    high: listed + (missed + 0.5) * factor - 0.5 + dark.most,
  }
}

/** Counts the places of a cell, given the keys that each search found. */
function groupsOf(searches: readonly (readonly string[])[]): Groups {
  const foundBy = new Map<string, number>()
  for (const [nth, keys] of searches.entries()) {
    for (const key of keys) foundBy.set(key, (foundBy.get(key) ?? 0) | (1 << nth))
  }
  const groups = Array.from({ length: 1 << searches.length }, () => 0)
  for (const group of foundBy.values()) groups[group] = (groups[group] ?? 0) + 1
  return groups
}

const pool = (cells: readonly Groups[]): Groups =>
  cells.reduce((total, groups) => total.map((places, group) => places + (groups[group] ?? 0)))

const foundBefore = (groups: Groups): number => sum(groups.filter((_, group) => group & JOB))

/** Formula 2: h. */
function missedPlaces(groups: Groups, listed: number): number {
  const before = foundBefore(groups)
  const added = sum(groups) - before
  const outside = before === 0 ? 0 : Math.max(0, (listed - added) / before - 1)
  const unseen = unseenPlaces(groups)
  return unseen + outside * (unseen + added)
}

/** Formula 1: u. */
const unseenPlaces = (groups: Groups): number =>
  groups.reduce((unseen, places, group) => {
    if (group === 0) return unseen
    const corrected = OF_ONE_AUDIT.includes(group) ? places : places + 1
    return ODD.includes(group) ? unseen * corrected : unseen / corrected
  }, 1)

/** Formula 3: v, times the square of its quantile. */
function spread(cells: readonly Groups[], listed: number): number {
  if (cells.length < FEWEST_CELLS) {
    const [, ...groups] = pool(cells)
    return Z ** 2 * sum(groups.map((places) => 1 / (places + 1)))
  }
  const logs = cells.map((omitted) =>
    Math.log(missedPlaces(pool(cells.filter((cell) => cell !== omitted)), listed) + 0.5),
  )
  const mean = sum(logs) / logs.length
  const variance = ((logs.length - 1) / logs.length) * sum(logs.map((log) => (log - mean) ** 2))
  return studentQuantile(logs.length - 1) ** 2 * variance
}

/** Returns the 97.5 % quantile of Student's distribution (Abramowitz and Stegun, 1964, 26.7.5). */
const studentQuantile = (freedom: number): number =>
  Z + (Z ** 3 + Z) / (4 * freedom) + (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * freedom ** 2)

/** The likely and the highest number of places that cells hold and that their searches did not list. */
export type UnsearchedPlaces = { likely: number; most: number }

/**
 * Sums the undivided cells of an area, and tells the places of those that were not searched whole. The likely density is
 * the average of the searched cells, the highest that of their densest, because divided cells lie where places are dense.
 */
export function createUnsearched() {
  const searched = { area: 0, places: 0, densest: 0 }
  const dark = { area: 0, places: 0 }
  return {
    add({ state, places, bounds }: BoundedCell): void {
      const area = areaOf(bounds)
      const kind = state === 'searched' ? searched : dark
      kind.area += area
      kind.places += places
      if (state === 'searched') searched.densest = Math.max(searched.densest, places / area)
    },
    places(): UnsearchedPlaces {
      if (dark.area === 0) return NONE
      const density = searched.area === 0 ? 0 : searched.places / searched.area
      const densest = Math.max(density, searched.densest)
      return {
        likely: Math.max(0, dark.area * density - dark.places),
        most: Math.max(dark.places, dark.area * densest),
      }
    },
  }
}

const NONE: UnsearchedPlaces = { likely: 0, most: 0 }

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
