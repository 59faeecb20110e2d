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

/** The searches of an area, and their results so far. */
export type AreaSearch = {
  /**
   * Runs one search and sends the places that no earlier search listed. Adds to `listed` the keys of the places inside
   * the cell that the job may accept, page by page: those of a search that fails later count too. Stops after a page
   * when `isEnough`.
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
/** The parts of a task that its searches use. */
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
  const limitedBefore = task.outcomes.limited
  const waiting = cells ? cellSearchesIn(task, keyword, cells) : [firstCellSearch(task, keyword)]
  try {
    await searchAll(task, keyword, area, waiting)
  } finally {
    for (const { failure } of waiting) if (failure) countFault(task.outcomes, failure)
  }
  if (area.listedCount() === 0 && task.outcomes.limited === limitedBefore) task.outcomes.empty++
}

async function searchAll(task: SearchTask, keyword: string, area: AreaSearch, waiting: CellSearch[]): Promise<void> {
  let [searchesWithoutNew, answers] = [0, 0]
  const enough = () => area.acceptedCount() > task.places_wanted * LISTED_FOR_EACH
  recordAll(area, waiting)
  for (let [next] = waiting; next && !enough(); [next] = waiting) {
    task.signal.throwIfAborted()
    waiting.shift()
    const before = area.listedCount()
    const end = await runCellSearch(task, next, area, answers, enough)
    searchesWithoutNew = area.listedCount() > before ? 0 : searchesWithoutNew + 1
    if (!(end instanceof MapFailed)) answers++
    if (end instanceof MapFailed) {
      if (!next.failure) waiting.push({ ...next, failure: end })
    } else if (end.cut && next.cell && isSmallest(next.cell)) task.outcomes.limited++
    else if ((end.cut && next.divides) || !next.covers) {
      const closer = closerCellSearches(task, keyword, next.cell)
      recordAll(area, closer)
      waiting.push(...closer)
    }
    if (searchesWithoutNew < MAX_SEARCHES_WITHOUT_NEW) continue
    task.outcomes.limited++
    task.log.warn({ keyword, cells: waiting.length }, 'stopped searching an area: the last searches listed nothing new')
    return
  }
}

const cellSearchesIn = (task: SearchTask, keyword: string, cells: readonly Cell[]): CellSearch[] =>
  cells.map((cell, index) => ({
    ...cellSearchIn(cell, task, keyword),
    divides: false,
    nth: cells.slice(0, index).filter((earlier) => isSame(earlier, cell)).length,
  }))

const isSame = (a: Cell, b: Cell): boolean =>
  a.south === b.south && a.north === b.north && a.west === b.west && a.east === b.east

function firstCellSearch(task: SearchTask, keyword: string): CellSearch {
  const { parameters, filter } = task
  if (!filter.area)
    return { cell: undefined, search: searchOf(keyword, parameters), covers: true, divides: true, nth: 0 }
  const whole = cellSearchIn(filter.area.bounds, task, keyword)
  if (parameters.zoom === 0) return whole
  const search = searchOf(keyword, parameters)
  return { ...whole, search, covers: parameters.zoom <= (whole.search.viewport?.zoom ?? 0) }
}

function closerCellSearches(task: SearchTask, keyword: string, cell: Cell | undefined): CellSearch[] {
  const { area } = task.filter
  const parts = cell && area ? quarters(cell).filter((part) => area.meets(part)) : []
  return parts.map((part) => cellSearchIn(part, task, keyword))
}

const cellSearchIn = (cell: Cell, { parameters }: Pick<SearchTask, 'parameters'>, keyword: string): CellSearch => ({
  cell,
  search: searchIn(cell, keyword, parameters),
  covers: true,
  divides: true,
  nth: 0,
})

/** Records searches that are due. */
function recordAll(area: AreaSearch, searches: readonly CellSearch[]): void {
  for (const cellSearch of searches) recordSearch(area, cellSearch, 'unsearched', new Set())
}

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

/** Returns the search for a keyword of a job without an area, or with a zoom. */
export function searchOf(keyword: string, parameters: TaskParameters): Search {
  const { language, country, latitude, longitude, zoom } = parameters
  if (latitude === undefined || longitude === undefined) return { query: keyword, language, country }
  return { query: keyword, language, country, viewport: { latitude, longitude, zoom: zoom || DEFAULT_ZOOM } }
}

function searchIn(cell: Cell, keyword: string, { language, country }: TaskParameters): Search {
  const { latitude, longitude } = centre(cell)
  const zoom = zoomFor(heightOf(cell) / 2, latitude)
  return { query: keyword, language, country, viewport: { latitude, longitude: onTheGlobe(longitude), zoom } }
}

/** Brings a longitude into ±180. */
export const onTheGlobe = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180

/** Returns the closest zoom level at which a circle of `radius` metres fits the window. */
export function zoomFor(radius: number, latitude: number): number {
  const metres = METRES_A_PIXEL * Math.cos((latitude * Math.PI) / 180) * PIXELS
  return Math.min(19, Math.max(3, Math.floor(Math.log2(metres / (2 * radius)))))
}

/**
 * Passes items to a slow receiver in order and in batches, without blocking the sender. A failed batch costs no later
 * one.
 */
type Background<Item> = {
  send(items: readonly Item[]): void
  /** Waits until all items are received. Throws the first error of the receiver since the last call. */
  done(): Promise<void>
}

/** Lets a browser page continue to scroll while the coordinator acknowledges, because an open page has a time limit. */
export function inBackground<Item>(receive: (items: readonly Item[]) => Promise<void>): Background<Item> {
  let receiving = Promise.resolve()
  let failure: { readonly error: unknown } | undefined
  return {
    send(items) {
      const received = receiving.then(() => receive(items))
      receiving = received.catch((error) => {
        failure ??= { error }
      })
    },
    async done() {
      await receiving
      const failed = failure
      failure = undefined
      if (failed) throw failed.error
    },
  }
}
