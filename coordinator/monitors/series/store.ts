import type { PlaceReference } from '@placefleet/shared/place'
import type { Db } from 'mongodb'
import { ago } from '../../mongo/time.ts'
import { runId } from '../documents.ts'
import {
  CELLS_INDEX,
  MONITOR_CELLS_INDEX,
  PLACES_INDEX,
  SERIES_INDEX,
  type SeriesCellDocument,
  type SeriesDocument,
  STATE_INDEX,
  seriesCellsOf,
  seriesOf,
  seriesPlacesOf,
} from './documents.ts'
import { nameOf, renewed, type SeriesCell } from './map.ts'

/** A series at its beginning. */
export type NewSeries = Pick<SeriesDocument, 'monitor_id' | 'user_id' | 'at' | 'job' | 'sealed_proxies' | 'max_cost'>

export type SeriesStore = ReturnType<typeof createSeriesStore>

/** Creates the series of a database. */
export function createSeriesStore(db: Db) {
  const [all, cells, places] = [seriesOf(db), seriesCellsOf(db), seriesPlacesOf(db)]
  return {
    /** Returns the series of an occurrence, begun once. Its map begins with the cells of the series before it. */
    async open(begun: NewSeries): Promise<SeriesDocument> {
      const { monitor_id, at, job } = begun
      const _id = runId(monitor_id, at)
      const found = await all.findOne({ _id })
      if (found) return found
      const former = await all.findOne({ monitor_id }, { sort: { at: -1 }, hint: SERIES_INDEX })
      if (former && isSameSearch(former.job, job)) {
        const map = await cells.find({ series_id: former._id }, { hint: CELLS_INDEX }).toArray()
        await insertCells(db, { _id, monitor_id }, renewed(map))
      }
      const series = { ...begun, number: 1, jobs: [], found: 0, spent: 0, looks: [], created_at: new Date() }
      await all.updateOne({ _id }, { $setOnInsert: series }, { upsert: true })
      return { _id, ...series }
    },

    find: async (_id: string): Promise<SeriesDocument | undefined> => (await all.findOne({ _id })) ?? undefined,

    /** The map of a series. */
    cells: (series_id: string): Promise<SeriesCellDocument[]> =>
      cells.find({ series_id }, { hint: CELLS_INDEX }).toArray(),

    /** Places of a series that are not collected yet, at most `limit`. */
    async waiting(series_id: string, limit: number): Promise<PlaceReference[]> {
      const found = await places.find({ series_id, state: 'waiting' }, { hint: STATE_INDEX }).limit(limit).toArray()
      return found.flatMap(({ reference }) => reference ?? [])
    },

    /** Those of the keys that earlier jobs of a series stored or judged. */
    async settledAmong(series_id: string, keys: string[]): Promise<Set<string>> {
      if (keys.length === 0) return new Set()
      const filter = { series_id, place_key: { $in: keys }, state: { $in: ['stored' as const, 'dropped' as const] } }
      const found = await places.find(filter, { hint: PLACES_INDEX, projection: { place_key: 1 } }).toArray()
      return new Set(found.map(({ place_key }) => place_key))
    },

    /** Ends a series whose next job could not be created, unless it has ended or moved on. Gives it as it is then. */
    async fail({ _id, number }: SeriesDocument, reason: string): Promise<SeriesDocument | undefined> {
      await all.updateOne({ _id, number, ended: { $exists: false } }, { $set: { ended: 'failed', reason } })
      return (await all.findOne({ _id })) ?? undefined
    },

    /** Removes what only a running series needs, and the maps of earlier series of its monitor. */
    async tidy({ _id, monitor_id }: Pick<SeriesDocument, '_id' | 'monitor_id'>): Promise<void> {
      await places.deleteMany({ series_id: _id }, { hint: PLACES_INDEX })
      await cells.deleteMany({ monitor_id, series_id: { $ne: _id } }, { hint: MONITOR_CELLS_INDEX })
    },

    /** Removes all series of a monitor. */
    async remove(monitor_id: string): Promise<void> {
      const ids = await all.distinct('_id', { monitor_id })
      for (const series_id of ids) await places.deleteMany({ series_id }, { hint: PLACES_INDEX })
      await cells.deleteMany({ monitor_id }, { hint: MONITOR_CELLS_INDEX })
      await all.deleteMany({ monitor_id }, { hint: SERIES_INDEX })
    },

    /** Removes the series of a monitor that are older than this many days, except the latest, whose map is used again. */
    async removeOld(monitor_id: string, days: number): Promise<void> {
      const latest = await all.findOne({ monitor_id }, { sort: { at: -1 }, hint: SERIES_INDEX })
      if (!latest) return
      const isOld = { $expr: { $lt: ['$at', ago(24 * days, 'hour')] } }
      await all.deleteMany({ monitor_id, ...isOld, at: { $lt: latest.at } }, { hint: SERIES_INDEX })
    },
  }
}

/** Inserts the cells of a map that begin it. Safe to repeat. */
async function insertCells(
  db: Db,
  { _id: series_id, monitor_id }: Pick<SeriesDocument, '_id' | 'monitor_id'>,
  map: readonly SeriesCell[],
): Promise<void> {
  if (map.length === 0) return
  await seriesCellsOf(db).bulkWrite(
    map.map((cell) => ({
      updateOne: {
        filter: { _id: `${series_id} ${nameOf(cell)}` },
        update: { $setOnInsert: { ...cell, series_id, monitor_id } },
        upsert: true,
      },
    })),
    { ordered: false },
  )
}

/** Whether two requests search the same area for the same keywords. */
function isSameSearch(one: SeriesDocument['job'], other: SeriesDocument['job']): boolean {
  const searchOf = ({ keywords, lat, lon, radius, depth, language }: SeriesDocument['job']) =>
    JSON.stringify([keywords, lat, lon, radius, depth, language])
  return searchOf(one) === searchOf(other)
}

/** Removes an erased place from what all series know. Safe to repeat. */
export async function eraseSeriesPlace(db: Db, place_key: string): Promise<void> {
  await seriesPlacesOf(db).updateMany({ place_key }, { $set: { state: 'dropped' }, $unset: { reference: '' } })
  const listed = { $or: [{ last: place_key }, { before: place_key }] }
  await seriesCellsOf(db).updateMany(listed, { $pull: { last: place_key, before: place_key } })
}
