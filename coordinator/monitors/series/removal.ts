import type { Db } from 'mongodb'
import { using } from '../../mongo/indexes.ts'
import { removeAll } from '../../mongo/remove-all.ts'
import {
  MONITOR_CELLS_INDEX,
  PLACES_INDEX,
  SERIES_INDEX,
  type SeriesDocument,
  seriesCellsOf,
  seriesOf,
  seriesPlacesOf,
} from './documents.ts'

/** Creates the removal of what series leave in a database. */
export function createSeriesRemoval(db: Db) {
  const [all, cells, places] = [seriesOf(db), seriesCellsOf(db), seriesPlacesOf(db)]
  return {
    /** Removes what only a running series needs, and the maps of earlier series of its monitor. */
    async tidy({ _id, monitor_id }: Pick<SeriesDocument, '_id' | 'monitor_id'>): Promise<void> {
      await removeAll(places, { series_id: _id }, { index: PLACES_INDEX })
      await removeAll(cells, { monitor_id, series_id: { $ne: _id } }, { index: MONITOR_CELLS_INDEX })
    },

    /** Removes all series of a monitor. */
    async remove(monitor_id: string): Promise<void> {
      const ids = await all.distinct('_id', { monitor_id })
      for (const series_id of ids) await removeAll(places, { series_id }, { index: PLACES_INDEX })
      await removeAll(cells, { monitor_id }, { index: MONITOR_CELLS_INDEX })
      await all.deleteMany({ monitor_id }, using(SERIES_INDEX))
    },

    /** Removes the series of a monitor up to a run, except the latest, whose map is used again. */
    async removeUntil(monitor_id: string, at: Date): Promise<void> {
      const latest = await all.findOne({ monitor_id }, { sort: { at: -1 }, ...using(SERIES_INDEX) })
      if (!latest) return
      await all.deleteMany({ monitor_id, at: { $lte: at, $lt: latest.at } }, using(SERIES_INDEX))
    },
  }
}

/** Removes an erased place from what all series know. Safe to repeat. */
export async function eraseSeriesPlace(db: Db, place_key: string): Promise<void> {
  await seriesPlacesOf(db).updateMany({ place_key }, { $set: { state: 'dropped' }, $unset: { reference: '' } })
  const listed = { $or: [{ last: place_key }, { before: place_key }] }
  await seriesCellsOf(db).updateMany(listed, { $pull: { last: place_key, before: place_key } })
}
