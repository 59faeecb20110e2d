import { type Cell, quarters } from '@placefleet/shared/cell'
import type { CellState } from '@placefleet/shared/coverage'
import { cellKey } from '../../coverage/documents.ts'
import { undivided } from '../../coverage/sample.ts'

/** A cell of the map that the jobs of a series share, for one keyword. */
export type SeriesCell = {
  keyword: string
  bounds: Cell
  state: CellState
  /** The different places that all looks listed in it. */
  places: number
  /** Answered searches of it. */
  looks: number
  /** Searches of it that were not answered. */
  blocks: number
  /** How many places it likely has, before the first look. */
  expected: number
  /** The places that the last look listed, and those that the looks before it listed. */
  last: string[]
  before: string[]
  /** The last job whose search it shows. 0: none. */
  number: number
}

/** The search of a cell by one job. */
export type CellSearch = {
  keyword: string
  bounds?: Cell | undefined
  state: CellState
  places: number
  /** The keys of the places that each look listed, by the number of the look. */
  looks?: Readonly<Record<string, readonly string[]>> | undefined
}

/** Returns the name of a cell within its map. */
export const nameOf = ({ keyword, bounds }: Pick<CellSearch, 'keyword' | 'bounds'>): string =>
  `${keyword} ${cellKey(bounds)}`

/**
 * Returns the cells of a map that the searches of a job change or add, as they are afterwards. A search counts once, so
 * repeating this changes nothing.
 * @param number the number of the job in its series.
 */
export function afterSearches(
  map: readonly SeriesCell[],
  searches: readonly CellSearch[],
  number: number,
): SeriesCell[] {
  const known = new Map(map.map((cell) => [nameOf(cell), cell]))
  const expected = expectedPlaces(searches)
  return searches.flatMap(({ bounds, ...search }) => {
    if (!bounds) return []
    const cell = known.get(nameOf({ ...search, bounds }))
    if (cell && (cell.number >= number || search.state === 'unsearched')) return []
    const before = cell ?? newCell(search.keyword, bounds, expected.get(nameOf({ ...search, bounds })) ?? search.places)
    return [search.state === 'unsearched' ? before : afterSearch(before, search, number)]
  })
}

const newCell = (keyword: string, bounds: Cell, expected: number): SeriesCell => ({
  keyword,
  bounds,
  state: 'unsearched',
  places: 0,
  looks: 0,
  blocks: 0,
  expected,
  last: [],
  before: [],
  number: 0,
})

function afterSearch(
  cell: SeriesCell,
  { state, places, looks = {} }: Omit<CellSearch, 'bounds'>,
  number: number,
): SeriesCell {
  const known = { ...cell, state: cell.looks > 0 ? cell.state : state, number }
  if (state === 'blocked' && Object.keys(looks).length === 0) return { ...known, blocks: cell.blocks + 1 }
  return Object.values(looks).reduce<SeriesCell>(({ before, last, ...seen }, listed) => {
    const earlier = [...new Set([...before, ...last])]
    const all = new Set([...earlier, ...listed])
    const most = Math.max(all.size, places)
    return { ...seen, places: most, looks: seen.looks + 1, before: earlier, last: [...listed] }
  }, known)
}

/** Returns how many places the quarters of cut cells likely have. */
function expectedPlaces(searches: readonly CellSearch[]): Map<string, number> {
  return new Map(
    searches.flatMap(({ keyword, bounds, state, places }) => {
      const parts = bounds && state === 'cut' ? quarters(bounds) : []
      return parts.map((part) => [nameOf({ keyword, bounds: part }), places / parts.length] as const)
    }),
  )
}

/** Returns the map that a new series begins with: the undivided cells of the former one, not searched yet. */
export const renewed = (map: readonly SeriesCell[]): SeriesCell[] =>
  undivided(map).map(({ keyword, bounds, looks, places, expected }) =>
    newCell(keyword, bounds, looks > 0 ? places : expected),
  )
