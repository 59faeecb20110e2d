import { halfKeyOf } from '@placefleet/shared/place-key'
import type { Db } from 'mongodb'
import type { ErasureStep } from '../mongo/erasure.ts'
import { using } from '../mongo/indexes.ts'
import { droppedPlacesBy, droppedPlacesOf, knownPlacesOf } from './documents.ts'

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
