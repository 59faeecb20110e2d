import { createHash } from 'node:crypto'
import { MOST_AUDITED_CELLS } from '@placefleet/shared/coverage'
import { type CellDocument, cellKey, type SeenCell } from './documents.ts'

type SearchedCell = Pick<CellDocument, 'keyword' | 'bounds' | 'state' | 'places'>

export type BoundedCell<Document extends SearchedCell = SearchedCell> = Document & {
  bounds: NonNullable<Document['bounds']>
}

export const isBounded = <Document extends SearchedCell>(cell: Document): cell is BoundedCell<Document> =>
  cell.bounds !== undefined

const SHARE = 0.05
const AT_LEAST = 8

/** Returns how many cells an audit searches again: a twentieth of those that a keyword has, at least 8. */
const sampleSize = (cells: number): number => Math.min(Math.max(AT_LEAST, Math.ceil(cells * SHARE)), MOST_AUDITED_CELLS)

const isAnswered = ({ state }: SearchedCell): boolean => state === 'searched' || state === 'cut'

/**
 * Picks the cells that an audit searches again, of the keyword with the most cells, weighted by their places. The seed
 * decides, so that every coordinator takes the same.
 */
export function auditSample(cells: readonly SearchedCell[], seed: string): BoundedCell[] {
  const answeredCells = cells.filter(isBounded).filter(isAnswered)
  const byKeyword = Object.values(Object.groupBy(answeredCells, ({ keyword }) => keyword))
  const most = byKeyword.reduce<BoundedCell[]>(
    (best, ofKeyword = []) => (ofKeyword.length > best.length ? ofKeyword : best),
    [],
  )
  const sample = createSample(sampleSize(most.length), seed)
  for (const cell of most) sample.add(cell)
  return sample.cells()
}

/** Like `auditSample`, for the cells of a job, which are read twice and never held. */
export async function auditSampleOf(read: () => AsyncIterable<SeenCell>, seed: string): Promise<BoundedCell[]> {
  const counts = new Map<string, number>()
  for await (const { keyword } of answeredOf(read())) counts.set(keyword, (counts.get(keyword) ?? 0) + 1)
  const [keyword, count = 0] = [...counts].reduce<[string?, number?]>(
    (best, one) => (one[1] > (best[1] ?? 0) ? one : best),
    [],
  )
  const sample = createSample(sampleSize(count), seed)
  for await (const cell of answeredOf(read())) if (cell.keyword === keyword) sample.add(cell)
  return sample.cells()
}

async function* answeredOf(cells: AsyncIterable<SeenCell>): AsyncGenerator<BoundedCell> {
  for await (const cell of cells) if (!cell.divided && isBounded(cell) && isAnswered(cell)) yield cell
}

/** Efraimidis and Spirakis: the smallest of -log(u) / weight are a sample by weight. Holds twice the sample at most. */
function createSample(size: number, seed: string) {
  let drawn: { cell: BoundedCell; key: number }[] = []
  const smallest = () => drawn.sort((one, other) => one.key - other.key).slice(0, size)
  return {
    add(cell: BoundedCell): void {
      drawn.push({ cell, key: -Math.log(chanceOf(seed, cell)) / (cell.places + 1) })
      if (drawn.length >= 2 * size) drawn = smallest()
    },
    cells: (): BoundedCell[] => smallest().map(({ cell }) => cell),
  }
}

/** Returns a number above 0 and at most 1. */
function chanceOf(seed: string, { bounds }: BoundedCell): number {
  const digest = createHash('sha256')
    .update(`${seed} ${cellKey(bounds)}`)
    .digest()
  return (digest.readUInt32BE() + 1) / 2 ** 32
}
