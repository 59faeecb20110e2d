import type { Db } from 'mongodb'
import { using } from '../../mongo/indexes.ts'
import { CELLS_INDEX, type SeriesDocument, seriesCellsOf } from './documents.ts'
import { nameOf, type SeriesCell } from './map.ts'

/** Returns the map of a series. */
export const mapOf = (db: Db, series_id: string): Promise<SeriesCell[]> =>
  seriesCellsOf(db)
    .find<SeriesCell>({ series_id }, { ...using(CELLS_INDEX), projection: { _id: 0, series_id: 0, monitor_id: 0 } })
    .toArray()

/**
 * Saves cells of the map of a series. Safe to repeat.
 * @param operator `$setOnInsert` keeps the cells that exist already.
 */
export async function saveCells(
  db: Db,
  { _id: series_id, monitor_id }: Pick<SeriesDocument, '_id' | 'monitor_id'>,
  cells: readonly SeriesCell[],
  operator: '$set' | '$setOnInsert',
): Promise<void> {
  if (cells.length === 0) return
  const updates = cells.map((cell) => ({
    updateOne: {
      filter: { _id: `${series_id} ${nameOf(cell)}` },
      update: { [operator]: { ...cell, series_id, monitor_id } },
      upsert: true,
    },
  }))
  await seriesCellsOf(db).bulkWrite(updates, { ordered: false })
}
