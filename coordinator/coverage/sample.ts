import { createHash } from 'node:crypto'
import { quarters } from '@placefleet/shared/cell'
import { MOST_AUDITED_CELLS } from '@placefleet/shared/coverage'
import { type CellDocument, cellKey } from './documents.ts'

type SearchedCell = Pick<CellDocument, 'keyword' | 'bounds' | 'state' | 'places'>

/** A cell with bounds. */
export type BoundedCell<Document extends SearchedCell = SearchedCell> = Document & {
  bounds: NonNullable<Document['bounds']>
}

export const isBounded = <Document extends SearchedCell>(cell: Document): cell is BoundedCell<Document> =>
  cell.bounds !== undefined

/** Returns the cells that were not divided further. Together they cover the area, once for each keyword. */
export function undivided<Document extends SearchedCell>(cells: readonly Document[]): Document[] {
  const known = new Set(cells.map(({ keyword, bounds }) => `${keyword} ${cellKey(bounds)}`))
  return cells.filter(({ keyword, bounds, state }) => {
    if (state !== 'cut' || !bounds) return true
    return !quarters(bounds).some((quarter) => known.has(`${keyword} ${cellKey(quarter)}`))
  })
}

const SHARE = 0.05
const AT_LEAST = 8

/**
 * Returns the cells that an audit searches again: a twentieth of those that the keyword with the most cells has, at
 * least 8. Cells with more places are likelier to be taken. The seed decides, so that every coordinator takes the same.
 */
export function auditSample(cells: readonly SearchedCell[], seed: string): BoundedCell[] {
  const answered = undivided(cells)
    .filter(isBounded)
    .filter(({ state }) => state === 'searched' || state === 'cut')
  const byKeyword = Object.values(Object.groupBy(answered, ({ keyword }) => keyword))
  const most = byKeyword.reduce<BoundedCell[]>((best, some = []) => (some.length > best.length ? some : best), [])
  const count = Math.min(Math.max(AT_LEAST, Math.ceil(most.length * SHARE)), MOST_AUDITED_CELLS)
  // Efraimidis and Spirakis: the smallest of -log(u) / weight is a sample by weight.
  const drawn = most.map((cell) => ({ cell, key: -Math.log(chanceOf(seed, cell)) / (cell.places + 1) }))
  return drawn
    .sort((one, other) => one.key - other.key)
    .slice(0, count)
    .map(({ cell }) => cell)
}

/** Returns a number above 0 and at most 1. */
function chanceOf(seed: string, { bounds }: BoundedCell): number {
  const digest = createHash('sha256')
    .update(`${seed} ${cellKey(bounds)}`)
    .digest()
  return (digest.readUInt32BE() + 1) / 2 ** 32
}
