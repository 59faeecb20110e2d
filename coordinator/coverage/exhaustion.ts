import type { Area } from '@placefleet/shared/area/geometry'
import { type Cell, heightOf, isSmallest, quarters } from '@placefleet/shared/cell'
import type { CellState } from '@placefleet/shared/coverage'
import { cellKey } from './documents.ts'
import { auditSample } from './sample.ts'

/**
 * Which cells of an area are searched next, and when the area is exhausted.
 *
 * The area is searched first, then the quarters of each cell whose search was cut. One search may omit places that
 * exist. So a sample of the cells is searched twice: the share of the known places that the second look missed is the
 * chance that one look misses a place. From it follows how many places each cell likely hides after its looks. Cells
 * are searched again, those that hide most first, until all of them together hide few.
 */

/** A part of the area to search for one keyword. */
export type CellSearch = { keyword: string; bounds: Cell }

/** What the searches of a cell listed, as numbers. */
type CellFindings = {
  /** Answered searches. */
  looks: number
  /** The different places that they listed. */
  places: number
  /** The places that the looks before the last one listed, and those of them that the last one missed. */
  before: number
  missed: number
}

/** A cell of a job that exhausts its area. */
export type MappedCell = CellSearch & CellFindings & { state: CellState; blocks: number }

/** The share of its places that an exhausted area may still hide, by the estimate. */
const HIDDEN_SHARE = 0.0075

/** A cell that was not answered this often is left out. */
const MOST_BLOCKS = 3

/** A cell is searched this often at most. */
const MOST_SEARCHES = 12

/** The weight of the miss rate of all cells, in places, against a cell's own places (a beta prior). */
const POOLED_WEIGHT = 200

/** Returns what the looks of a cell listed, given the keys of each, the last one last. */
export function findingsOf(looks: readonly (readonly string[])[]): CellFindings {
  const before = new Set(looks.slice(0, -1).flat())
  const last = new Set(looks.at(-1))
  const missed = [...before].filter((key) => !last.has(key)).length
  const places = before.size + [...last].filter((key) => !before.has(key)).length
  return { looks: looks.length, places, before: before.size, missed }
}

export type SearchedArea = { area: Area; keywords: readonly string[] }

/**
 * Returns the cells to search next, the widest first, as often as they are named, at most `most`. None: the area is
 * exhausted, as far as the map site answers.
 * @param seed decides the sample, so that every coordinator takes the same.
 */
export function nextSearches(
  map: readonly MappedCell[],
  area: SearchedArea,
  { seed, most }: { seed: string; most: number },
): CellSearch[] {
  const due = dueSearches(map, area)
  if (due.length > 0) return due.sort(byHeight).slice(0, most)
  const answeredCells = map.filter((cell) => cell.looks > 0 && !isDivided(cell))
  const isSampled = answeredCells.some(({ looks }) => looks > 1)
  const again = isSampled ? hidingCells(answeredCells, most) : auditSample(answeredCells, seed)
  return again.slice(0, most).map(({ keyword, bounds }) => ({ keyword, bounds }))
}

const byHeight = (one: CellSearch, other: CellSearch) => heightOf(other.bounds) - heightOf(one.bounds)

/** Returns the cells that were never answered: the whole area at first, then the quarters of the cut cells. */
function dueSearches(map: readonly MappedCell[], { area, keywords }: SearchedArea): CellSearch[] {
  const known = new Set(map.map(nameOf))
  const whole = keywords.map((keyword) => ({ keyword, bounds: area.bounds }))
  const parts = map.filter(isDivided).flatMap(({ keyword, bounds }) =>
    quarters(bounds)
      .filter((quarter) => area.meets(quarter))
      .map((quarter) => ({ keyword, bounds: quarter })),
  )
  return [...[...whole, ...parts].filter((cell) => !known.has(nameOf(cell))), ...map.filter(isDue)]
}

const nameOf = ({ keyword, bounds }: CellSearch): string => `${keyword} ${cellKey(bounds)}`

const isDivided = ({ state, bounds }: MappedCell): boolean => state === 'cut' && !isSmallest(bounds)

const isDue = ({ looks, blocks }: MappedCell): boolean => looks === 0 && blocks < MOST_BLOCKS

/** Whether the map site never answered for a part of the area, which is therefore left out. */
export const isPartlyBlocked = (map: readonly MappedCell[]): boolean =>
  map.some(({ looks, blocks }) => looks === 0 && blocks >= MOST_BLOCKS)

/** Picks greedily the cells with the most expected unseen places, until few are left. */
function hidingCells(cells: readonly MappedCell[], most: number): MappedCell[] {
  const { most: pooled } = missShare(cells)
  const hiding = cells.map((cell) => ({ cell, hidden: hiddenIn(cell, pooled), searches: cell.looks + cell.blocks }))
  const allowed = HIDDEN_SHARE * sum(cells.map(({ places }) => places))
  let hidden = sum(hiding.map((one) => one.hidden))
  const again: MappedCell[] = []
  while (hidden > allowed && again.length < most) {
    const next = hiding.reduce<(typeof hiding)[number] | undefined>(
      (worst, one) => (one.searches < MOST_SEARCHES && one.hidden > (worst?.hidden ?? 0) ? one : worst),
      undefined,
    )
    if (!next) break
    again.push(next.cell)
    next.searches++
    hidden -= next.hidden * (1 - pooled)
    next.hidden *= pooled
  }
  return again
}

/**
 * The miss rate of the last look over all cells, as its mean under Jeffreys' prior, Beta(½, ½), and that rate plus two
 * standard errors. By the rate alone a small area would end after a look that missed few places by chance.
 */
function missShare(cells: readonly MappedCell[]): { likeliest: number; most: number } {
  const known = sum(cells.map(({ before }) => before)) + 1
  const likeliest = (sum(cells.map(({ missed }) => missed)) + 0.5) / known
  return { likeliest, most: Math.min(likeliest + 2 * Math.sqrt((likeliest * (1 - likeliest)) / known), 0.99) }
}

/** Returns how many places a cell likely has that no look listed. */
function hiddenIn({ missed, before, looks, places }: MappedCell, pooled: number): number {
  const chance = (missed + POOLED_WEIGHT * pooled) / (before + POOLED_WEIGHT)
  const missedByAll = Math.min(chance, 0.99) ** looks
  return (places * missedByAll) / (1 - missedByAll)
}

/** How many places there are: the likeliest number, and the interval that holds it in 95 of 100 cases. */
export type AreaEstimate = { total: number; low: number; high: number }

/**
 * Estimates how many places an area has that was searched everywhere: those that were found, and as many more as its
 * cells likely hide. The interval ends at twice as many as they may hide, because cells whose last look missed few
 * places by chance are not searched again. Undefined while a cell has no answer, and while no cell was searched twice.
 */
export function estimateArea(map: readonly MappedCell[], area: SearchedArea, found: number): AreaEstimate | undefined {
  const answeredCells = map.filter((cell) => cell.looks > 0 && !isDivided(cell))
  const isWhole = dueSearches(map, area).length === 0 && !isPartlyBlocked(map)
  if (!isWhole || !answeredCells.some(({ looks }) => looks > 1)) return undefined
  const { likeliest, most } = missShare(answeredCells)
  const listed = sum(answeredCells.map(({ places }) => places))
  const hidden = (share: number) =>
    listed === 0 ? 0 : (found * sum(answeredCells.map((cell) => hiddenIn(cell, share)))) / listed
  return { total: Math.round(found + hidden(likeliest)), low: found, high: Math.ceil(found + 2 * hidden(most)) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
