import { type Cell, centre, heightOf } from '@placefleet/shared/cell'
import type { AuditSearch, SearchedCell } from '@placefleet/shared/coverage'
import { MapFailed } from '../maps/requests/failure.ts'
import type { Search } from '../maps/search/url.ts'
import { type AreaSearch, onTheGlobe, type SearchTask, searchOf, stateOf, zoomFor } from './search-area.ts'
import { affectsWholeTask, countFault, taskFailure } from './task-failed.ts'

/**
 * Searches each cell twice more, around other centres and the second time in another wording, so that the coordinator
 * can estimate how many places the job missed. Without cells it repeats the search of the job. Throws TaskFailed.
 */
export async function auditCells(
  task: SearchTask,
  keyword: string,
  cells: readonly Cell[],
  area: AreaSearch,
): Promise<void> {
  const searches = cells.length > 0 ? cells.flatMap((cell) => searchesOf(keyword, cell)) : [wide(task, keyword)]
  for (const audit of searches) {
    task.signal.throwIfAborted()
    area.record(await audited(task, audit, area))
  }
}

type Audit = { readonly audit: AuditSearch; readonly cell?: Cell; readonly search: Search }

async function audited(task: SearchTask, { audit, cell, search }: Audit, area: AreaSearch): Promise<SearchedCell> {
  const listed = new Set<string>()
  const result = { audit, look: 0, ...(cell && { bounds: cell }) }
  try {
    const { answer } = await area.searchCell(search, { pages: task.parameters.depth, cell }, listed, () => false)
    return { ...result, state: stateOf(answer), places: listed.size, place_keys: [...listed] }
  } catch (error) {
    if (!(error instanceof MapFailed)) throw error
    countFault(task.outcomes, error)
    if (affectsWholeTask(error)) throw taskFailure(error)
    task.log.info({ fault: error.fault, cell }, 'could not audit a part of the area; going on without it')
    return { ...result, state: 'blocked', places: 0, place_keys: [] }
  }
}

/** How far the centre of an audit search lies from that of its cell, as a share of the cell. */
const SHIFT = 0.25

function searchesOf(keyword: string, cell: Cell): Audit[] {
  const shifted = (audit: AuditSearch, query: string, direction: 1 | -1): Audit => {
    const { latitude: middle, longitude } = centre(cell)
    const latitude = middle + direction * SHIFT * (cell.north - cell.south)
    const east = longitude + direction * SHIFT * (cell.east - cell.west)
    const zoom = zoomFor(heightOf(cell) * (0.5 + SHIFT), latitude)
    const viewport = { latitude, longitude: onTheGlobe(east), zoom }
    return { audit, cell, search: { query, viewport } }
  }
  return [shifted('shifted', keyword, 1), shifted('reworded', reworded(keyword), -1)]
}

const wide = ({ parameters }: SearchTask, keyword: string): Audit => ({
  audit: 'reworded',
  search: searchOf(reworded(keyword), parameters),
})

/** Returns the keyword in quotes: a wording that the site ranks in its own way, in every language. */
const reworded = (keyword: string): string => `"${keyword.replaceAll('"', ' ').trim()}"`
