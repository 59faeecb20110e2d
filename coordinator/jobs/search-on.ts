import { areaOf, centreOf } from '@placefleet/shared/area/area-of'
import type { Db } from 'mongodb'
import { createCache } from '../cache.ts'
import { type CellSearch, isPartlyBlocked, nextSearches, type SearchedArea } from '../coverage/exhaustion.ts'
import { mappedCells } from '../coverage/store.ts'
import { newTaskOf } from '../tasks/documents.ts'
import { insertTasks, type NewTask, type TaskCounts, taskCounts } from '../tasks/store.ts'
import type { JobDocument } from './documents.ts'

/**
 * How a job that exhausts its area searches on. Its searches come in waves. When a wave has ended, the stored cells decide
 * the next one, so every coordinator decides the same: a task that exists already is not created again, and a crash
 * between two tasks of a wave leaves cells to the next one. While cells are left, the job cannot end.
 */

/** The cells of one search task: few, so that little is lost when an agent dies. */
export const CELLS_IN_TASK = 10

/** The cells of one wave: enough for the slots of a large fleet. */
export const CELLS_IN_WAVE = 200

/** No wave begins while more listed places than this wait to be collected: a job that ends early should not search it all. */
const MOST_UNCOLLECTED = 2_000

/** After so many failed search tasks the map site counts as blocked. */
const MOST_FAILED = 3

/** Many times what the largest area takes. An agent that answers without searching must not go on for ever. */
const MOST_TASKS = 20_000

/** Whether cells of the area are still to be searched, now or later, and whether some are left out without an answer. */
export type AreaProgress = { more: boolean; blocked: boolean }

/** The next searches of a job after so many search tasks, some of them failed. None: all is searched. */
type NextWave = { after: number; failed: number; cells: readonly CellSearch[]; blocked: boolean }

/** Returns the next wave of a job whose search tasks have all ended; undefined when others began one meanwhile. */
export type DecideWave = (job: JobDocument, counts: TaskCounts) => Promise<NextWave | undefined>

/** How many jobs' last waves are cached. A cache miss costs a read of the job's cells. */
const MAX_CACHED = 100

/** Creates the decision of waves. The cells cannot change while no search is open, so the last one is cached. */
export function createDecideWave(db: Db): DecideWave {
  const decided = createCache<NextWave>(MAX_CACHED)
  return async (job, { searches, failedSearches }) => {
    const known = decided.get(job._id)
    if (known?.after === searches && known.failed === failedSearches && known.cells.length === 0) return known
    const map = await mappedCells(db, job._id)
    const mayGoOn = failedSearches < MOST_FAILED && searches < MOST_TASKS
    const cells = mayGoOn ? nextSearches(map, searchedArea(job), { seed: job._id, most: CELLS_IN_WAVE }) : []
    // Without another search task since, these are all cells of the searches before. So nobody decides otherwise.
    if (cells.length === 0 && (await taskCounts(db, job._id)).searches > searches) return undefined
    const wave = { after: searches, failed: failedSearches, cells, blocked: !mayGoOn || isPartlyBlocked(map) }
    decided.set(job._id, wave)
    return wave
  }
}

export function searchedArea({ _id, data }: Pick<JobDocument, '_id' | 'data'>): SearchedArea {
  const area = areaOf({ ...data, ...centreOf(data) })
  if (!area) throw new Error(`the job ${_id} has no area`)
  return { area, keywords: data.keywords }
}

/** Returns the first searches of a job that exhausts its area. */
export const firstSearches = (job: Pick<JobDocument, '_id' | 'user_id' | 'data' | 'proxy_count'>): NewTask[] =>
  searchTasksOf(job, nextSearches([], searchedArea(job), { seed: job._id, most: CELLS_IN_WAVE }), 0)

/** Creates the next searches of a running job that exhausts its area, when they are due. Safe to repeat. */
export async function searchOn(
  { db, decideWave }: { db: Db; decideWave: DecideWave },
  job: JobDocument,
  counts: TaskCounts,
  references: number,
): Promise<{ counts: TaskCounts; area?: AreaProgress }> {
  if (!job.data.exhaust) return { counts }
  const later = { counts, area: { more: true, blocked: false } }
  const collected = counts.planned - counts.waiting.collect - counts.collecting
  if (counts.searching > 0 || references - collected * job.task_size > MOST_UNCOLLECTED) return later
  const wave = await decideWave(job, counts)
  if (!wave) return later
  const area = { more: wave.cells.length > 0, blocked: wave.blocked }
  if (!area.more || job.phase !== 'running' || job.totals.places >= job.data.max_results) return { counts, area }
  const searches = searchTasksOf(job, wave.cells, wave.after)
  await insertTasks(db, searches)
  return { counts: withSearches(counts, searches.length), area }
}

function searchTasksOf(
  job: Pick<JobDocument, '_id' | 'user_id' | 'data' | 'proxy_count'>,
  wave: readonly CellSearch[],
  first: number,
) {
  const search = newTaskOf(job, 'discover')
  return job.data.keywords
    .flatMap((keyword) => {
      const cells = wave.filter((cell) => cell.keyword === keyword).map(({ bounds }) => bounds)
      const tasks = Math.ceil(cells.length / CELLS_IN_TASK)
      return Array.from({ length: tasks }, (_, nth) => ({
        ...search,
        keyword,
        cells: cells.slice(nth * CELLS_IN_TASK, (nth + 1) * CELLS_IN_TASK),
      }))
    })
    .map((task, nth): NewTask => ({ ...task, ordinal: first + nth }))
}

/** Returns the counts of a job after the creation of searches. */
export const withSearches = (counts: TaskCounts, created: number): TaskCounts => ({
  ...counts,
  total: counts.total + created,
  searches: counts.searches + created,
  searching: counts.searching + created,
  waiting: { ...counts.waiting, discover: counts.waiting.discover + created },
})
