import type { PlaceReference } from '@placefleet/shared/place'
import type { Db } from 'mongodb'
import { using } from '../../mongo/indexes.ts'
import { runId } from '../documents.ts'
import { mapOf, saveCells } from './cells.ts'
import { PLACES_INDEX, SERIES_INDEX, type SeriesDocument, STATE_INDEX, seriesOf, seriesPlacesOf } from './documents.ts'
import { renewed, type SeriesCell } from './map.ts'
import { createSeriesRemoval } from './removal.ts'

/** A series at its beginning. */
export type NewSeries = Pick<SeriesDocument, 'monitor_id' | 'user_id' | 'at' | 'job' | 'sealed_proxies' | 'max_cost'>

export type SeriesStore = ReturnType<typeof createSeriesStore>

/** Creates the series of a database. */
export function createSeriesStore(db: Db) {
  const [all, places] = [seriesOf(db), seriesPlacesOf(db)]
  return {
    /** Returns the series of an occurrence, begun once. Its map begins with the cells of the series before it. */
    async open(begun: NewSeries): Promise<SeriesDocument> {
      const { monitor_id, at, job } = begun
      const _id = runId(monitor_id, at)
      const found = await all.findOne({ _id })
      if (found) return found
      const former = await all.findOne({ monitor_id }, { sort: { at: -1 }, ...using(SERIES_INDEX) })
      if (former && isSameSearch(former.job, job)) {
        await saveCells(db, { _id, monitor_id }, renewed(await mapOf(db, former._id)), '$setOnInsert')
      }
      const series = { ...begun, number: 1, jobs: [], found: 0, spent: 0, looks: [], created_at: new Date() }
      await all.updateOne({ _id }, { $setOnInsert: series }, { upsert: true })
      return { _id, ...series }
    },

    find: async (_id: string): Promise<SeriesDocument | undefined> => (await all.findOne({ _id })) ?? undefined,

    /** The map of a series. */
    cells: (series_id: string): Promise<SeriesCell[]> => mapOf(db, series_id),

    /** Places of a series that are not collected yet, in the order of their keys, at most `limit`. */
    async waiting(series_id: string, limit: number): Promise<PlaceReference[]> {
      const waiting = places.find({ series_id, state: 'waiting' }, using(STATE_INDEX)).sort({ place_key: 1 })
      const found = await waiting.limit(limit).toArray()
      return found.flatMap(({ reference }) => reference ?? [])
    },

    /** Those of the keys that earlier jobs of a series stored or judged. */
    async settledAmong(series_id: string, keys: string[]): Promise<Set<string>> {
      if (keys.length === 0) return new Set()
      const filter = { series_id, place_key: { $in: keys }, state: { $in: ['stored' as const, 'dropped' as const] } }
      const found = await places.find(filter, { ...using(PLACES_INDEX), projection: { place_key: 1 } }).toArray()
      return new Set(found.map(({ place_key }) => place_key))
    },

    /** Ends a series whose next job could not be created, unless it has ended or moved on. Gives it as it is then. */
    async fail({ _id, number }: SeriesDocument, reason: string): Promise<SeriesDocument | undefined> {
      await all.updateOne({ _id, number, ended: { $exists: false } }, { $set: { ended: 'failed', reason } })
      return (await all.findOne({ _id })) ?? undefined
    },

    ...createSeriesRemoval(db),
  }
}

/** Whether two requests search the same area for the same keywords. */
function isSameSearch(one: SeriesDocument['job'], other: SeriesDocument['job']): boolean {
  const searchOf = ({ keywords, lat, lon, radius, depth, language }: SeriesDocument['job']) =>
    JSON.stringify([keywords, lat, lon, radius, depth, language])
  return searchOf(one) === searchOf(other)
}
