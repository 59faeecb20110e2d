import { halfKeyOf } from '@placefleet/shared/place-key'
import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import type { ErasureStep } from '../mongo/erasure.ts'
import { indexesOf, using } from '../mongo/indexes.ts'

/** A place that a user has already: a job of theirs stored it, or they uploaded its id. It outlives its jobs. */
export type KnownPlaceDocument = {
  user_id: string
  /** `0x0:0x…` when only the CID was uploaded: it means each place with this second half. */
  place_key: string
  /** When the first job that saw it ended, or when it was uploaded. */
  first_seen_at: Date
  last_seen_at: Date
  /** Absent: no job saw it. */
  last_job_id?: string
  /** The job that last stored it: it has its name. Absent: no job stored it. */
  collected_job_id?: string
  /** When a job last stored it, or when it was uploaded. `recheck_after` counts from here. */
  collected_at: Date
  /** The search that last stored it (`searchOf`). Absent: no job stored it. */
  search?: string
}

/** A known place that a job with `only_new` saw and dropped. It goes a minute after the end of its job. */
type DroppedPlaceDocument = { job_id: string; place_key: string }

export const knownPlacesOf = (db: Db): Collection<KnownPlaceDocument> => collection(db, 'known_places')

export const droppedPlacesOf = (db: Db): Collection<DroppedPlaceDocument> => collection(db, 'dropped_places')

export const knownPlacesBy = indexesOf('known_places', {
  /** Keeps each once. */
  user_place: { key: { user_id: 1, place_key: 1 }, unique: true },
  /** By the search that stored them. */
  user_search_collected: {
    key: { user_id: 1, search: 1, collected_at: 1 },
    partialFilterExpression: { search: { $exists: true } },
  },
  /** By the time when a job last saw them. */
  user_seen: { key: { user_id: 1, last_seen_at: 1 } },
})

export const droppedPlacesBy = indexesOf('dropped_places', {
  /** Keeps each once. */
  job_place: { key: { job_id: 1, place_key: 1 }, unique: true },
})

export const knownPlaceIndexes = [...Object.values(knownPlacesBy), ...Object.values(droppedPlacesBy)]

/** Returns the keys under which places can be known: their own, and those of their second halves. */
export const withHalves = (keys: readonly string[]): string[] => [...new Set([...keys, ...keys.map(halfKeyOf)])]

/** Streams the known places that a job saw and dropped, in the order of their keys. */
export async function* droppedKeys(db: Db, job_id: string): AsyncGenerator<string> {
  const dropped = droppedPlacesOf(db).find({ job_id }, using(droppedPlacesBy.job_place)).sort({ place_key: 1 })
  for await (const { place_key } of dropped) yield place_key
}

/** Forgets places that a user knows, so that a job collects them again. Safe to repeat. */
export async function forgetKeys(db: Db, user_id: string, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await knownPlacesOf(db).deleteMany({ user_id, place_key: { $in: withHalves(keys) } })
}

/** Removes a place from what all users know, and from what their jobs dropped. */
export const knownPlaceErasure = (db: Db, key: string): ErasureStep[] => {
  const filter = { place_key: { $in: withHalves([key]) } }
  return [knownPlacesOf(db), droppedPlacesOf(db)].map(({ collectionName: collection }) => ({
    collection,
    filter,
    update: 'remove',
  }))
}
