import { areaOf } from '@placefleet/shared/cell'
import {
  type Dependence,
  dependenceOf,
  INDEPENDENT,
  intervalOf,
  strongest,
  type Unseen,
  unseenBy,
} from './capture-recapture.ts'
import type { AuditedCellDocument, CellDocument } from './documents.ts'
import { type BoundedCell, isBounded, undivided } from './sample.ts'

type AuditedCell = Pick<AuditedCellDocument, 'before' | 'shifted' | 'reworded'>
type SearchedCell = Pick<CellDocument, 'keyword' | 'bounds' | 'state' | 'places'>

/** How many places there are: the likeliest number, and the interval that holds it in 95 of 100 cases. */
export type TotalEstimate = { total: number; low: number; high: number }

/** One audited cell: places found before, by both, and by the audit alone, and how dependent its two searches are. */
type CellCount = {
  before: number
  both: number
  second: number
  twice: number
  shiftedOnly: number
  rewordedOnly: number
  neither: number
}

/**
 * Estimates how many places the searched area holds.
 * @param dark the places of the cells that were not searched whole.
 * @param listed the different places that all searches of the job listed, the audit's included.
 * @returns undefined when the audit got no answer, or saw none of the places that the job had found.
 */
export function estimateTotal(
  audited: readonly AuditedCell[],
  dark: UnsearchedPlaces,
  listed: number,
): TotalEstimate | undefined {
  const counts = audited.flatMap((cell) => countOf(cell) ?? [])
  const before = sum(counts.map((count) => count.before))
  if (counts.length === 0 || (before === 0 && listed > 0)) return undefined
  const dependence = dependenceIn(counts)
  const unseen = unseenInAll(counts, listed, dependence)
  const { low } = intervalOf(unseenInAll(counts, listed, { ...dependence, ratio: INDEPENDENT.ratio }))
  const { high } = intervalOf(unseenInAll(counts, listed, strongest(dependence)))
  return { total: listed + unseen.estimate + dark.likely, low: listed + low, high: listed + high + dark.most }
}

/** Counts the places of an audited cell. Undefined when no search of the audit was answered. */
function countOf({ before, shifted, reworded }: AuditedCell): CellCount | undefined {
  if (!shifted && !reworded) return undefined
  const [known, one, other] = [new Set(before), new Set(shifted), new Set(reworded)]
  const audited = [...new Set([...one, ...other])]
  const twice = shifted && reworded ? before.filter((key) => one.has(key) && other.has(key)).length : 0
  return {
    before: known.size,
    both: audited.filter((key) => known.has(key)).length,
    second: audited.filter((key) => !known.has(key)).length,
    twice,
    shiftedOnly: before.filter((key) => one.has(key) && !other.has(key)).length,
    rewordedOnly: before.filter((key) => other.has(key) && !one.has(key)).length,
    neither: before.filter((key) => !one.has(key) && !other.has(key)).length,
  }
}

/** How dependent the two searches of the audit are, among the places found before. */
function dependenceIn(counts: readonly CellCount[]): Dependence {
  const total = (name: keyof CellCount) => totalOf(counts, name)
  if (total('twice') === 0) return INDEPENDENT
  return dependenceOf(total('twice'), total('shiftedOnly'), total('rewordedOnly'), total('neither'))
}

const totalOf = (counts: readonly CellCount[], name: keyof CellCount) => sum(counts.map((count) => count[name]))

/**
 * Returns the unseen places of the whole area. Each found place stands for as many unseen ones as in the audited cells.
 */
function unseenInAll(counts: readonly CellCount[], listed: number, dependence: Dependence): Unseen {
  const [before, both, second] = [totalOf(counts, 'before'), totalOf(counts, 'both'), totalOf(counts, 'second')]
  const unseen = boundedUnseen(unseenBy({ both, first: before - both, second }, dependence), dependence)
  const outside = before === 0 ? 0 : Math.max(0, (listed - second) / before - 1)
  const centre = unseen.centre + outside * (second + unseen.centre)
  const spread =
    ((1 + outside) * unseen.centre) ** 2 * unseen.variance + outside ** 2 * betweenCells(counts, unseen.centre)
  return {
    estimate: unseen.estimate + outside * (second + unseen.estimate),
    centre,
    variance: spread / centre ** 2,
  }
}

/** Fewer unseen places than this count as so many, when the spread of their number is judged. */
const FEW_UNSEEN = 0.5

/**
 * Bounds the part of the variance that is the spread of the number of unseen places around its mean: the mean's inverse.
 * Without the bound the interval has no end where two looks agree, although they leave next to nothing unseen.
 */
function boundedUnseen({ estimate, centre, variance }: Unseen, { ratio }: Dependence): Unseen {
  const mean = centre / ratio
  return { estimate, centre, variance: variance - 1 / mean + 1 / Math.max(mean, FEW_UNSEEN) }
}

/** Returns the variance of the missed places of a sample, because the share that was missed differs from cell to cell. */
function betweenCells(counts: readonly CellCount[], unseen: number): number {
  const second = sum(counts.map((count) => count.second))
  const missed = second + unseen
  if (counts.length === 1) return missed ** 2
  const share = missed / sum(counts.map(({ before }) => before))
  const each = second === 0 ? 0 : missed / second
  const squares = counts.map((count) => (count.second * each - share * count.before) ** 2)
  return (counts.length / (counts.length - 1)) * sum(squares)
}

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

/** Returns the places of the cells that were not searched whole. */
export function unsearchedPlaces(cells: readonly SearchedCell[]): UnsearchedPlaces {
  const unsearched = createUnsearched()
  for (const cell of undivided(cells).filter(isBounded)) unsearched.add(cell)
  return unsearched.places()
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
