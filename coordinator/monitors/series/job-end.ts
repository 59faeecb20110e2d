import type { PlaceReference } from '@placefleet/shared/place'
import type { AnyBulkWriteOperation, Db } from 'mongodb'
import { type MicroCredits, microCredits } from '../../billing/cost.ts'
import { leastCost } from '../../billing/spending-limits.ts'
import { cellsOf, CELLS_INDEX as JOB_CELLS_INDEX } from '../../coverage/documents.ts'
import type { TotalEstimate } from '../../coverage/estimate-total.ts'
import type { JobDocument } from '../../jobs/documents.ts'
import { droppedPlacesOf } from '../../known-places/documents.ts'
import { using } from '../../mongo/indexes.ts'
import { resultsOf } from '../../results/documents.ts'
import { JOB_INDEX, REFERENCE_INDEX, referencesOf, tasksOf } from '../../tasks/documents.ts'
import { TASK_SIZE } from '../../tasks/plan.ts'
import { runId } from '../documents.ts'
import { mapOf, saveCells } from './cells.ts'
import { type SeriesDocument, type SeriesPlaceDocument, STATE_INDEX, seriesOf, seriesPlacesOf } from './documents.ts'
import { blockedCells, nextParts, totalOf } from './exhaustion.ts'
import { afterSearches, nameOf, type SeriesCell } from './map.ts'
import { endAfter } from './next-job.ts'

/** A job of a series. */
export type SeriesJob = JobDocument & { monitor: { id: string; at: Date; looks?: PlaceReference[]; number: number } }

/**
 * Adds what an ended job found to its series and decides whether another job follows. Safe to repeat: the map and the
 * places come first, each part once, and one compare-and-set on the number of the job decides.
 * @returns the series as it is then; undefined when it was removed.
 */
export async function advanceSeries(db: Db, job: SeriesJob): Promise<SeriesDocument | undefined> {
  const { id, at, number, looks = [] } = job.monitor
  const _id = runId(id, at)
  const series = await seriesOf(db).findOne({ _id })
  if (!series || series.number !== number || series.ended) return series ?? undefined
  const map = await addSearches(db, series, job)
  const settled = await addPlaces(db, _id, job)
  const waiting = await seriesPlacesOf(db).countDocuments({ series_id: _id, state: 'waiting' }, using(STATE_INDEX))
  const spent = series.spent + (job.total_cost ?? 0)
  const end = endAfter({
    job: { ...job, number },
    waiting,
    open: nextParts(map, series.job.keywords, _id).size,
    blocked: blockedCells(map).length,
    progressed: settled || map.some((cell) => cell.number === number && cell.looks > 0),
    ...moneyOf(series, job, spent),
  })
  const found = series.found + job.totals.places
  const estimate = estimateOf(series, map, found)
  await seriesOf(db).updateOne(
    { _id, number, ended: { $exists: false } },
    {
      $set: {
        spent,
        found,
        ...(estimate && { estimate }),
        ...(end ?? { number: number + 1 }),
      },
      $push: { jobs: job._id, looks: { $each: looks.map(({ place_key }) => place_key) } },
    },
  )
  return (await seriesOf(db).findOne({ _id })) ?? undefined
}

/** Estimates how many places of the area its jobs would store. A filter by website drops the same share of the others. */
function estimateOf({ job }: SeriesDocument, map: readonly SeriesCell[], found: number): TotalEstimate | undefined {
  const estimate = totalOf(map, found)
  if (!estimate) return undefined
  const share = job.website_filter === 'all' || estimate.low === 0 ? 1 : Math.min(1, found / estimate.low)
  const atLeast = (places: number) => Math.max(found, places * share)
  return { total: atLeast(estimate.total), low: atLeast(estimate.low), high: atLeast(estimate.high) }
}

/** Returns the credits that a series may still spend; Infinity without a `max_cost`. */
export const leftOf = ({ max_cost, spent }: Pick<SeriesDocument, 'max_cost' | 'spent'>): MicroCredits =>
  max_cost === undefined ? Infinity : Math.max(0, microCredits(max_cost) - spent)

function moneyOf(series: SeriesDocument, { prices, data, held }: SeriesJob, spent: MicroCredits) {
  return { left: leftOf({ ...series, spent }), least: leastCost(data, prices), limited: held >= leftOf(series) }
}

/** Adds the searches of a job to the map. Returns the map after that. */
async function addSearches(db: Db, series: SeriesDocument, job: SeriesJob): Promise<SeriesCell[]> {
  const map = await mapOf(db, series._id)
  const searches = await cellsOf(db).find({ job_id: job._id }, using(JOB_CELLS_INDEX)).toArray()
  const changed = afterSearches(map, searches, job.monitor.number)
  await saveCells(db, series, changed, '$set')
  const after = new Map([...map, ...changed].map((cell) => [nameOf(cell), cell]))
  return [...after.values()]
}

/**
 * Adds the places of a job to its series: those that it stored, those that it judged and did not store, and those that
 * wait for the next job. Returns whether it settled any.
 */
async function addPlaces(db: Db, series_id: string, { _id: job_id }: SeriesJob): Promise<boolean> {
  const stored = new Set(await resultsOf(db).distinct('place_key', { job_id, place_key: { $exists: true } }))
  const ended = await tasksOf(db).distinct(
    'ordinal',
    { job_id, kind: 'collect', state: { $in: ['done', 'failed'] } },
    using(JOB_INDEX),
  )
  const judged = new Set(ended)
  const listed = await referencesOf(db).find({ job_id }, using(REFERENCE_INDEX)).toArray()
  const writes = [
    ...[...stored].map((place_key) => settle(series_id, place_key, 'stored')),
    ...listed
      .filter(({ place_key }) => !stored.has(place_key))
      .map(({ place_key, position, reference }) =>
        judged.has(Math.floor((position - 1) / TASK_SIZE))
          ? settle(series_id, place_key, 'dropped')
          : addMissing(series_id, place_key, { state: 'waiting', reference }),
      ),
    ...(await droppedPlacesOf(db).distinct('place_key', { job_id })).map((place_key) =>
      addMissing(series_id, place_key, { state: 'known' }),
    ),
  ]
  if (writes.length > 0) await seriesPlacesOf(db).bulkWrite(writes, { ordered: false })
  return stored.size > 0 || judged.size > 0
}

type Write = AnyBulkWriteOperation<SeriesPlaceDocument>

const settle = (series_id: string, place_key: string, state: 'stored' | 'dropped'): Write => ({
  updateOne: {
    filter: { series_id, place_key },
    update: { $set: { state }, $unset: { reference: '' } },
    upsert: true,
  },
})

const addMissing = (
  series_id: string,
  place_key: string,
  place: Pick<SeriesPlaceDocument, 'state' | 'reference'>,
): Write => ({ updateOne: { filter: { series_id, place_key }, update: { $setOnInsert: place }, upsert: true } })
