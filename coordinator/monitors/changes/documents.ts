import type { Collection, Db } from 'mongodb'
import { collection } from '../../mongo/connect.ts'
import { indexesOf } from '../../mongo/indexes.ts'
import type { Change, WatchedPlace } from './rules.ts'

/** A place as one monitor knows it. */
export type WatchedPlaceDocument = WatchedPlace & {
  monitor_id: string
  place_key: string
  /** When the run began that saw it first. */
  since: Date
  /** When the last run began that changed this document. A run is compared once. */
  run_at: Date
}

/** A change that a monitor found. The changes of a monitor are numbered 1, 2, 3 … */
export type ChangeDocument = Change & {
  monitor_id: string
  sequence: number
  place_key: string
  title?: string
  latitude?: number
  longitude?: number
  job_id: string
  /** When the run began that saw it. */
  run_at: Date
  seen_at: Date
}

export const watchedPlacesOf = (db: Db): Collection<WatchedPlaceDocument> => collection(db, 'watched_places')

export const changesOf = (db: Db): Collection<ChangeDocument> => collection(db, 'monitor_changes')

export const watchedPlacesBy = indexesOf('watched_places', {
  /** Keeps each once. */
  monitor_place: { key: { monitor_id: 1, place_key: 1 }, unique: true },
  /** The places that several runs in a row missed, those that are missing longest first. */
  monitor_missing: {
    key: { monitor_id: 1, missed: -1, place_key: 1 },
    partialFilterExpression: { missed: { $gte: 2 } },
  },
})

export const changesBy = indexesOf('monitor_changes', {
  /** Keeps the numbers of a monitor's changes unique. */
  monitor_sequence: { key: { monitor_id: 1, sequence: 1 }, unique: true },
  /** Keeps one change a place and run. */
  monitor_run_place: { key: { monitor_id: 1, run_at: 1, place_key: 1 }, unique: true },
  /** By the time when they were seen. */
  monitor_seen: { key: { monitor_id: 1, seen_at: 1, sequence: 1 } },
})

export const changeIndexes = [...Object.values(watchedPlacesBy), ...Object.values(changesBy)]
