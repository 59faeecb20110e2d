import type { Collection, Db } from 'mongodb'
import { collection } from '../../mongo/connect.ts'
import type { Index } from '../../mongo/indexes.ts'
import type { Change, WatchedPlace } from './rules.ts'

/** A place as one monitor knows it. */
export type WatchedPlaceDocument = WatchedPlace & {
  monitor_id: string
  place_key: string
  /** The run that saw it first. */
  since: Date
  /** The last run that changed this document. A run is compared once. */
  run_at: Date
}

/** A change that a monitor found. The changes of a monitor are numbered 1, 2, 3 … */
export type ChangeDocument = Change & {
  monitor_id: string
  sequence: number
  place_key: string
  title?: string
  job_id: string
  /** When the run began that saw it. */
  run_at: Date
  seen_at: Date
}

export const watchedPlacesOf = (db: Db): Collection<WatchedPlaceDocument> => collection(db, 'watched_places')

export const changesOf = (db: Db): Collection<ChangeDocument> => collection(db, 'monitor_changes')

/** The index of the places of a monitor. It keeps each once. */
export const PLACES_INDEX = 'monitor_place'

/** The index of the places of a monitor that several runs in a row missed, those that are missing longest first. */
export const MISSING_INDEX = 'monitor_missing'

/** The index of the changes of a monitor. It keeps their numbers unique. */
export const CHANGES_INDEX = 'monitor_sequence'
export const CHANGES_KEY = { monitor_id: 1, sequence: 1 } as const

/** The index of the changes of a run. It keeps one a place. */
export const RUN_INDEX = 'monitor_run_place'

/** The index of the changes of a monitor by the time when they were seen. */
export const SEEN_INDEX = 'monitor_seen'

export const changeIndexes: readonly Index[] = [
  { collection: 'watched_places', name: PLACES_INDEX, key: { monitor_id: 1, place_key: 1 }, unique: true },
  {
    collection: 'watched_places',
    name: MISSING_INDEX,
    key: { monitor_id: 1, missed: -1, place_key: 1 },
    partialFilterExpression: { missed: { $gte: 2 } },
    hinted: true,
  },
  { collection: 'monitor_changes', name: CHANGES_INDEX, key: CHANGES_KEY, unique: true },
  {
    collection: 'monitor_changes',
    name: RUN_INDEX,
    key: { monitor_id: 1, run_at: 1, place_key: 1 },
    unique: true,
  },
  {
    collection: 'monitor_changes',
    name: SEEN_INDEX,
    key: { monitor_id: 1, seen_at: 1, sequence: 1 },
    hinted: true,
  },
]
