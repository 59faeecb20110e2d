import { isDeepStrictEqual } from 'node:util'
import { type Cell, centre, heightOf, isSmallest, quarters } from '@placefleet/shared/cell'
import type { CellState, SearchedCell } from '@placefleet/shared/coverage'
import type { TaskParameters } from '@placefleet/shared/protocol'
import type { Result } from '../maps/requests/attempt.ts'
import { MapFailed } from '../maps/requests/failure.ts'
import { VERDICTS } from '../maps/requests/verdicts.ts'
import type { SearchEnd, SearchExtent } from '../maps/search/http.ts'
import type { Search } from '../maps/search/url.ts'
import type { TaskContext } from './task.ts'
import { affectsWholeTask, countFault, countLimited, taskFailure } from './task-failed.ts'

export type AreaSearch = {
  /**
   * Runs one search, until `isEnough`, and sends the places that no earlier search listed. Adds to `listed` the keys of
   * the places inside the cell that the job may accept, also of a search that fails later.
   */
  searchCell(
    search: Search,
    extent: SearchExtent,
    listed: Set<string>,
    isEnough: () => boolean,
  ): Promise<Result<SearchEnd>>
  record(cell: SearchedCell): void
  /** How many places the searches have listed so far, each counted once. */
  listedCount(): number
  /** How many of them the job certainly accepts, by the data of the search alone. */
  acceptedCount(): number
}

/** Listed places per place that the job still accepts. More than 1, because some turn out unreadable. */
const LISTED_FOR_EACH = 2
export type SearchTask = Pick<
  TaskContext,
  'parameters' | 'filter' | 'places_wanted' | 'outcomes' | 'chromiumStarts' | 'limited_reason' | 'signal' | 'log'
>

/** After this many searches in a row without a new place, the site seems to ignore the position of the search. */
const MAX_SEARCHES_WITHOUT_NEW = 60

/**
 * A cell to search. `covers`: the viewport contains the whole cell. `divides`: search the quarters if the list was cut;
 * a given cell is never divided. `nth`: number of earlier searches of this cell. `failure`: why the first search
 * brought no answer.
 */
type CellSearch = {
  readonly cell: Cell | undefined
  readonly search: Search
  readonly covers: boolean
  readonly divides: boolean
  readonly nth: number
  readonly failure?: MapFailed
}

/**
 * Searches for a keyword in the area of the job. In an area, each cut search is followed by searches of the quarters
 * of its cell, the widest cells first, until no search is cut or enough places are found. Counts a cut cell that is too
 * small to divide as `limited`, and a cell without an answer once. Counts a complete search without places as `empty`.
 * Throws TaskFailed.
 * @param cells the cells to search, in this order and as often as they are named. They are not divided. Absent: the
 * whole area.
 */
export async function searchArea(
  task: SearchTask,
  keyword: string,
  area: AreaSearch,
  cells?: readonly Cell[],
): Promise<void> {
  const { outcomes, places_wanted } = task
  const limitedBefore = outcomes.limited
  const waiting: CellSearch[] = []
  const queue = (searches: readonly CellSearch[]) => {
    for (const cellSearch of searches) recordSearch(area, cellSearch, 'unsearched', new Set())
    waiting.push(...searches)
  }
  const isEnough = () => area.acceptedCount() > places_wanted * LISTED_FOR_EACH
  let [searchesWithoutNew, answers] = [0, 0]
  queue(cells ? cellSearchesIn(keyword, cells) : [firstCellSearch(task, keyword)])
  try {
    while (waiting.length > 0 && !isEnough() && searchesWithoutNew < MAX_SEARCHES_WITHOUT_NEW) {
      task.signal.throwIfAborted()
      const [next] = waiting.splice(0, 1)
      if (!next) break
      const before = area.listedCount()
      const end = await runCellSearch(task, next, area, answers, isEnough)
      searchesWithoutNew = area.listedCount() > before ? 0 : searchesWithoutNew + 1
      if (end instanceof MapFailed) {
        if (!next.failure) waiting.push({ ...next, failure: end })
        continue
      }
      answers++
      if (end.cut && next.cell && isSmallest(next.cell)) outcomes.limited++
      else if ((end.cut && next.divides) || !next.covers) queue(closerCellSearches(task, keyword, next.cell))
    }
  } finally {
    for (const { failure } of waiting) if (failure) countFault(outcomes, failure)
  }
  if (searchesWithoutNew >= MAX_SEARCHES_WITHOUT_NEW) {
    outcomes.limited++
    task.log.warn({ keyword, cells: waiting.length }, 'stopped searching an area: the last searches listed nothing new')
  }
  if (area.listedCount() === 0 && outcomes.limited === limitedBefore) outcomes.empty++
}

const cellSearchesIn = (keyword: string, cells: readonly Cell[]): CellSearch[] =>
  cells.map((cell, index) => ({
    ...cellSearchIn(cell, keyword),
    divides: false,
    nth: cells.slice(0, index).filter((earlier) => isDeepStrictEqual(earlier, cell)).length,
  }))

function firstCellSearch(task: SearchTask, keyword: string): CellSearch {
  const { parameters, filter } = task
  const search = searchOf(keyword, parameters)
  if (!filter.area) return { cell: undefined, search, covers: true, divides: true, nth: 0 }
  const whole = cellSearchIn(filter.area.bounds, keyword)
  if (parameters.zoom === 0) return whole
  return { ...whole, search, covers: parameters.zoom <= (whole.search.viewport?.zoom ?? 0) }
}

function closerCellSearches(task: SearchTask, keyword: string, cell: Cell | undefined): CellSearch[] {
  const { area } = task.filter
  const parts = cell && area ? quarters(cell).filter((part) => area.meets(part)) : []
  return parts.map((part) => cellSearchIn(part, keyword))
}

const cellSearchIn = (cell: Cell, keyword: string): CellSearch => ({
  cell,
  search: searchIn(cell, keyword),
  covers: true,
  divides: true,
  nth: 0,
})

// Only a search whose viewport contains the cell is recorded.
function recordSearch(
  area: AreaSearch,
  { cell, covers, nth }: CellSearch,
  state: CellState,
  listed: ReadonlySet<string>,
): void {
  const result = { places: listed.size, place_keys: [...listed], look: nth }
  if (covers) area.record({ ...(cell && { bounds: cell }), state, ...result })
}

// A cell without an answer is searched again later. It does not end the task, unless nothing was answered so far, or
// the site stays silent.
async function runCellSearch(
  task: SearchTask,
  cellSearch: CellSearch,
  area: AreaSearch,
  answers: number,
  isEnough: () => boolean,
): Promise<SearchEnd | MapFailed> {
  const { cell, search, failure, divides } = cellSearch
  const listed = new Set<string>()
  try {
    const { answer, limited } = await area.searchCell(search, { pages: task.parameters.depth, cell }, listed, isEnough)
    if (limited) countLimited(task)
    recordSearch(area, cellSearch, stateOf(answer), listed)
    return answer
  } catch (error) {
    if (!(error instanceof MapFailed)) throw error
    recordSearch(area, cellSearch, 'blocked', listed)
    const isRepeated = failure !== undefined
    const mayGoOn = answers > 0 && (!divides || VERDICTS[error.fault].task === 'goes_on')
    const endsArea = isRepeated ? !mayGoOn : divides && area.listedCount() === 0
    const endsTask = endsArea || affectsWholeTask(error)
    if (endsTask || isRepeated) countFault(task.outcomes, error)
    if (endsTask) throw taskFailure(error)
    task.log.info({ fault: error.fault, cell }, 'could not search a part of the area; retrying it at the end')
    return error
  }
}

export function stateOf({ limited, cut }: SearchEnd): CellState {
  if (limited) return 'blocked'
  return cut ? 'cut' : 'searched'
}

/** The zoom of a search without a zoom and an area: about a town quarter. */
const DEFAULT_ZOOM = 14
/** Metres per pixel at the equator and zoom 0: the earth's circumference over 256 pixels. */
const METRES_A_PIXEL = 156_543.03
/** The height in pixels of the map in searches. */
const PIXELS = 768

export function searchOf(keyword: string, parameters: TaskParameters): Search {
  const { latitude, longitude, zoom } = parameters
  if (latitude === undefined || longitude === undefined) return { query: keyword }
  return { query: keyword, viewport: { latitude, longitude, zoom: zoom || DEFAULT_ZOOM } }
}

function searchIn(cell: Cell, keyword: string): Search {
  const { latitude, longitude } = centre(cell)
  const zoom = zoomFor(heightOf(cell) / 2, latitude)
  return { query: keyword, viewport: { latitude, longitude: onTheGlobe(longitude), zoom } }
}

export const onTheGlobe = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180

/** Returns the closest zoom level at which a circle of `radius` metres fits the window. */
export function zoomFor(radius: number, latitude: number): number {
  const metres = METRES_A_PIXEL * Math.cos((latitude * Math.PI) / 180) * PIXELS
  return Math.min(19, Math.max(3, Math.floor(Math.log2(metres / (2 * radius)))))
}
