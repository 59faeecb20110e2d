import { circleOf } from '@placefleet/shared/great-circle'
import type { Climbed } from '../maps/ladder/ladder.ts'
import { type Cell, centre, enclosing, heightOf, isSmallest, quarters, touches } from '../maps/search/cell.ts'
import type { SearchEnd, SearchExtent } from '../maps/search/http.ts'
import type { Search } from '../maps/search/url.ts'
import { MapFailed } from '../maps/session/fault.ts'
import type { TaskContext, TaskParameters } from './task.ts'
import { affectsWholeTask, countFault, taskFailure } from './task-failed.ts'

/** What is done with each search of an area. */
export type AreaSearch = {
  /** Makes one search and hands over the places that no search before it listed. */
  look(search: Search, extent: SearchExtent): Promise<Climbed<SearchEnd>>
  /** How many places the searches have listed so far, each counted once. */
  found(): number
  /** How many of them the job is certain to take, as far as a search shows. */
  certain(): number
}

/** Places listed for each that the job still takes, after which no more is searched: some turn out unreadable. */
const LISTED_FOR_WANTED = 2
type Searching = Pick<TaskContext, 'parameters' | 'places_wanted' | 'outcomes' | 'signal' | 'log'>

/** Searches in a row that list nothing new, after which the site is taken not to look where it is told. */
const MAX_SEARCHES_WITHOUT_NEW = 60

/** A cell to be searched, with the search for it. `covers`: that search looks at all of the cell. */
type Look = {
  readonly cell: Cell | undefined
  readonly search: Search
  readonly covers: boolean
  readonly again: boolean
}

/**
 * Searches for a keyword wherever the job wants it. Where it is confined to a circle, a search that was cut is followed
 * by searches of the quarters of its cell, the widest cells first, until nothing is cut or there is enough. A cell that
 * is cut and cannot be divided counts as `limited`. When nothing is found and nothing was held back, that counts as
 * `empty`. Throws TaskFailed.
 */
export async function searchArea(task: Searching, keyword: string, area: AreaSearch): Promise<void> {
  const limitedBefore = task.outcomes.limited
  await searchCells(task, keyword, area)
  if (area.found() === 0 && task.outcomes.limited === limitedBefore) task.outcomes.empty++
}

async function searchCells(task: Searching, keyword: string, area: AreaSearch): Promise<void> {
  const waiting = [firstLook(task, keyword)]
  let searchesWithoutNew = 0
  const enough = () => area.certain() > task.places_wanted * LISTED_FOR_WANTED
  for (let next = waiting.shift(); next && !enough(); next = waiting.shift()) {
    task.signal.throwIfAborted()
    const before = area.found()
    const end = await lookAt(task, next, area)
    searchesWithoutNew = area.found() > before ? 0 : searchesWithoutNew + 1
    if (!end) waiting.push({ ...next, again: true })
    else if (end.cut && next.cell && isSmallest(next.cell)) task.outcomes.limited++
    else if (end.cut || !next.covers) waiting.push(...closerLooks(task, keyword, next.cell))
    if (searchesWithoutNew < MAX_SEARCHES_WITHOUT_NEW) continue
    task.outcomes.limited++
    task.log.warn({ keyword, cells: waiting.length }, 'searches of an area list nothing new any more')
    return
  }
}

function firstLook({ parameters }: Searching, keyword: string): Look {
  const circle = circleOf(parameters)
  const search = searchOf(keyword, parameters)
  if (!circle) return { cell: undefined, search, covers: true, again: false }
  const covers = (search.viewport?.zoom ?? 0) <= zoomFor(circle.radius, circle.latitude)
  return { cell: enclosing(circle), search, covers, again: false }
}

function closerLooks({ parameters }: Searching, keyword: string, cell: Cell | undefined): Look[] {
  const circle = circleOf(parameters)
  const parts = cell && circle ? quarters(cell).filter((part) => touches(part, circle)) : []
  return parts.map((part) => ({
    cell: part,
    search: searchIn(part, keyword, parameters),
    covers: true,
    again: false,
  }))
}

// One cell of many that the site does not answer for is put off, not the end of the task.
async function lookAt(
  task: Searching,
  { cell, search, again }: Look,
  area: AreaSearch,
): Promise<SearchEnd | undefined> {
  try {
    const { answer, limited } = await area.look(search, { pages: task.parameters.depth, cell })
    if (limited) task.outcomes.limited++
    task.outcomes.broken += answer.foreign
    return answer
  } catch (error) {
    if (!(error instanceof MapFailed)) throw error
    countFault(task.outcomes, error)
    if (again || area.found() === 0 || affectsWholeTask(error)) throw taskFailure(error)
    task.log.info({ fault: error.fault, cell }, 'a part of the area could not be searched; it is put off')
    return undefined
  }
}

/** About a town quarter: what a search shows when nobody says how far to look. */
const DEFAULT_ZOOM = 14
/** Metres a pixel at the equator and zoom 0: the earth's girth over 256 pixels. */
const METRES_A_PIXEL = 156_543.03
/** The window that searches are asked for is this high. */
const PIXELS = 768

/** The search for a keyword of a job. A radius without a zoom looks at just the circle. */
export function searchOf(keyword: string, parameters: TaskParameters): Search {
  const { language, country, latitude, longitude, zoom, radius } = parameters
  if (latitude === undefined || longitude === undefined) return { query: keyword, language, country }
  const level = zoom || (radius > 0 ? zoomFor(radius, latitude) : DEFAULT_ZOOM)
  return { query: keyword, language, country, viewport: { latitude, longitude, zoom: level } }
}

/** The search for a keyword that looks at just one cell. */
export function searchIn(cell: Cell, keyword: string, { language, country }: TaskParameters): Search {
  const { latitude, longitude } = centre(cell)
  const zoom = zoomFor(heightOf(cell) / 2, latitude)
  return { query: keyword, language, country, viewport: { latitude, longitude: onTheGlobe(longitude), zoom } }
}

const onTheGlobe = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180

/** The closest zoom level at which a circle of `radius` metres fits the window. */
export function zoomFor(radius: number, latitude: number): number {
  const metres = METRES_A_PIXEL * Math.cos((latitude * Math.PI) / 180) * PIXELS
  return Math.min(19, Math.max(3, Math.floor(Math.log2(metres / (2 * radius)))))
}

/** Passes items to a slow receiver in order, one batch at a time, without blocking the sender. */
export type Background<Item> = {
  send(items: readonly Item[]): void
  /** Waits until all items are received. Throws what the receiver threw. */
  done(): Promise<void>
}

/** Lets a browser page go on scrolling while the coordinator acknowledges: an open page has a time limit. */
export function inBackground<Item>(receive: (items: readonly Item[]) => Promise<void>): Background<Item> {
  let receiving = Promise.resolve()
  return {
    send(items) {
      receiving = receiving.then(() => receive(items))
      receiving.catch(() => undefined) // thrown by done()
    },
    done: () => receiving,
  }
}
