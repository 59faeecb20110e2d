import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import type { Index } from '../mongo/indexes.ts'

/** A place that a user has already: a job of theirs stored it, or they uploaded its id. It outlives its jobs. */
export type KnownPlaceDocument = {
  user_id: string
  place_key: string
  /** When the first job that saw it ended, or when it was uploaded. */
  first_seen_at: Date
  last_seen_at: Date
  /** Absent: no job saw it. */
  last_job_id?: string
  /** When a job last stored it, or when it was uploaded. `recheck_after` counts from here. */
  collected_at: Date
  /** The search that last stored it (`searchOf`). Absent: no job stored it. */
  search?: string
}

/** A known place that a job with `only_new` saw and dropped. It goes a minute after the end of its job. */
export type DroppedPlaceDocument = { job_id: string; place_key: string }

export const knownPlacesOf = (db: Db): Collection<KnownPlaceDocument> => collection(db, 'known_places')

export const droppedPlacesOf = (db: Db): Collection<DroppedPlaceDocument> => collection(db, 'dropped_places')

/** The index of a user's known places. It keeps each once. */
export const USER_INDEX = 'user_place'

/** The index of a user's known places by the search that stored them. */
export const SEARCH_INDEX = 'user_search_collected'

/** The index of a user's known places by the time when a job last saw them. */
export const AGE_INDEX = 'user_seen'

/** The index of the known places that a job dropped. It keeps each once. */
export const DROPPED_INDEX = 'job_place'

export const knownPlaceIndexes: readonly Index[] = [
  { collection: 'known_places', name: USER_INDEX, key: { user_id: 1, place_key: 1 }, unique: true },
  {
    collection: 'known_places',
    name: SEARCH_INDEX,
    key: { user_id: 1, search: 1, collected_at: 1 },
    partialFilterExpression: { search: { $exists: true } },
    hinted: true,
  },
  { collection: 'known_places', name: AGE_INDEX, key: { user_id: 1, last_seen_at: 1 }, hinted: true },
  { collection: 'dropped_places', name: DROPPED_INDEX, key: { job_id: 1, place_key: 1 }, unique: true },
]
