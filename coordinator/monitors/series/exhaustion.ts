import { isSmallest } from '@placefleet/shared/cell'
import type { Parts } from '@placefleet/shared/coverage'
import { estimateTotal, type TotalEstimate, unsearchedPlaces } from '../../coverage/estimate-total.ts'
import { auditSample, undivided } from '../../coverage/sample.ts'
import type { SeriesCell } from './map.ts'

/**
 * Which cells of an area must be searched, and when the area is exhausted.
 *
 * One search may omit places that exist. A sample of the cells is searched twice: the share of the known places that the
 * second look missed is the chance that one look misses a place. From it follows how many places each cell likely still
 * hides after its looks. Cells are searched again, those that hide most first, until all of them together hide few.
 */

/** The share of its places that an exhausted area may still hide, by the estimate. */
const HIDDEN_SHARE = 0.0075

/** A cell that was not answered this often is left out. */
const MOST_BLOCKS = 3

/** A cell is searched this often at most. */
const MOST_LOOKS = 12

/** How many known places of other cells count as much as a cell's own places, when its chance to miss one is judged. */
const POOLED_WEIGHT = 200

/** The cells of a map that must be searched: for the first time, and once more, as often as they are named. */
export type OpenCells = { due: SeriesCell[]; again: SeriesCell[] }

/**
 * Returns the cells that the next job must search, those with the most new places first. None: the area is exhausted, as
 * far as the map site answers.
 * @param seed decides the sample, so that every coordinator takes the same.
 */
export function openCells(map: readonly SeriesCell[], seed: string): OpenCells {
  const covering = undivided(map)
  const due = covering.filter(isDue)
  if (due.length > 0) return { due: due.sort((one, other) => other.expected - one.expected), again: [] }
  const answered = covering.filter(({ looks }) => looks > 0)
  const isSampled = answered.some(({ looks }) => looks > 1)
  return { due: [], again: isSampled ? hidingCells(answered) : sampleOf(answered, seed) }
}

/** Cells in one search at most. The next job searches the others. */
const MOST_PARTS = 1_000

/**
 * Returns the cells that the next job must search, by keyword. A keyword without a cell in the map is searched in the
 * whole area, which no cells stand for. Empty: nothing is left to search.
 */
export function nextParts(
  map: readonly SeriesCell[],
  keywords: readonly string[],
  seed: string,
): ReadonlyMap<string, Parts> {
  const { due, again } = openCells(map, seed)
  const boundsOf = (cells: readonly SeriesCell[], keyword: string) =>
    cells.filter((cell) => cell.keyword === keyword).map(({ bounds }) => bounds)
  return new Map(
    keywords.flatMap((keyword): [string, Parts][] => {
      if (!map.some((cell) => cell.keyword === keyword)) return [[keyword, { cells: [], again: [] }]]
      const cells = boundsOf(due, keyword).slice(0, MOST_PARTS)
      const parts = { cells, again: boundsOf(again, keyword).slice(0, MOST_PARTS) }
      return cells.length + parts.again.length > 0 ? [[keyword, parts]] : []
    }),
  )
}

/** Returns the undivided cells that the map site never answered. */
export const blockedCells = (map: readonly SeriesCell[]): SeriesCell[] =>
  undivided(map).filter(({ looks, blocks }) => looks === 0 && blocks >= MOST_BLOCKS)

function isDue({ state, bounds, looks, blocks }: SeriesCell): boolean {
  if (state === 'cut') return !isSmallest(bounds)
  return looks === 0 && blocks < MOST_BLOCKS
}

function sampleOf(cells: readonly SeriesCell[], seed: string): SeriesCell[] {
  const sampled = new Set<object>(auditSample(cells, seed))
  return cells.filter((cell) => sampled.has(cell))
}

/** Returns the cells to search again until few places are hidden: each time the one that likely hides most by then. */
function hidingCells(cells: readonly SeriesCell[]): SeriesCell[] {
  const pooled = missShare(cells)
  const hiding = cells.map((cell) => ({ cell, hidden: hiddenIn(cell, pooled), looks: cell.looks }))
  const allowed = HIDDEN_SHARE * sum(cells.map(({ places }) => places))
  let hidden = sum(hiding.map((one) => one.hidden))
  const open: SeriesCell[] = []
  while (hidden > allowed && open.length < MOST_PARTS) {
    const next = hiding.reduce<(typeof hiding)[number] | undefined>(
      (most, one) => (one.looks < MOST_LOOKS && one.hidden > (most?.hidden ?? 0) ? one : most),
      undefined,
    )
    if (!next) break
    open.push(next.cell)
    next.looks++
    hidden -= next.hidden * (1 - pooled)
    next.hidden *= pooled
  }
  return open
}

/** Returns the share of the known places of all cells that their last look missed. Half a place is added to each side. */
function missShare(cells: readonly SeriesCell[]): number {
  const again = cells.filter(({ looks }) => looks > 1)
  return (sum(again.map(missed)) + 0.5) / (sum(again.map(({ before }) => before.length)) + 1)
}

function missed({ before, last }: SeriesCell): number {
  const listed = new Set(last)
  return before.filter((key) => !listed.has(key)).length
}

/** Returns how many places a cell likely has that no look listed. */
function hiddenIn(cell: SeriesCell, pooled: number): number {
  const own = cell.looks > 1 ? { missed: missed(cell), of: cell.before.length } : { missed: 0, of: 0 }
  const chance = (own.missed + POOLED_WEIGHT * pooled) / (own.of + POOLED_WEIGHT)
  const missedByAll = Math.min(chance, 0.99) ** cell.looks
  return (cell.places * missedByAll) / (1 - missedByAll)
}

/**
 * Estimates how many places the area has. Undefined while no cell was searched twice. Cells whose last look missed few
 * places by chance are not searched again, so that look alone would promise too much: the interval also holds twice the
 * places that the cells likely hide.
 * @param found the places that were found, also by searches of neighbouring cells.
 */
export function totalOf(map: readonly SeriesCell[], found: number): TotalEstimate | undefined {
  const covering = undivided(map)
  const listed = new Set(covering.flatMap(({ before, last }) => [...before, ...last])).size
  const again = covering.filter(({ looks, last, before }) => looks > 1 && last.length + before.length > 0)
  const looks = again.map(({ before, last }) => ({ before, shifted: last }))
  const estimate = estimateTotal(looks, unsearchedPlaces(map), listed)
  if (!estimate) return undefined
  const pooled = missShare(covering)
  const hidden = sum(covering.filter((cell) => cell.looks > 0).map((cell) => hiddenIn(cell, pooled)))
  const { total, low, high } = estimate
  const most = Math.max(listed, found) + 2 * hidden
  return { total: Math.max(total, listed + hidden), low, high: Math.max(high, most) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
