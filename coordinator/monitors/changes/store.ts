import type { PlaceReference } from '@placefleet/shared/place'
import type { Db } from 'mongodb'
import type { z } from 'zod'
import { orNotFound } from '../../http/errors.ts'
import type { ErasureStep } from '../../mongo/erasure.ts'
import { removeAll } from '../../mongo/in-batches.ts'
import { using } from '../../mongo/indexes.ts'
import { ERASED_KEY } from '../../results/erasure.ts'
import type { MonitorStore } from '../store.ts'
import {
  type ChangeDocument,
  changesBy,
  changesOf,
  type WatchedPlaceDocument,
  watchedPlacesBy,
  watchedPlacesOf,
} from './documents.ts'
import type { ChangeType } from './rules.ts'
import { type ChangeList, type ChangesQuery, presentChange } from './schema.ts'

type ChangePage = {
  after: number
  before?: number | undefined
  since?: Date | undefined
  order: 'asc' | 'desc'
  limit: number
}

/**
 * The changes of a monitor with numbers above `after` and below `before`, in order, at most `limit`; those seen since a
 * moment only.
 */
export const changesPage = (
  db: Db,
  monitor_id: string,
  { after, before, since, order, limit }: ChangePage,
): Promise<ChangeDocument[]> =>
  changesOf(db)
    .find(
      {
        monitor_id,
        sequence: { $gt: after, ...(before !== undefined && { $lt: before }) },
        ...(since && { seen_at: { $gte: since } }),
      },
      using(since ? changesBy.monitor_seen : changesBy.monitor_sequence),
    )
    .sort({ sequence: order === 'asc' ? 1 : -1 })
    .limit(limit)
    .toArray()

/** Streams the changes of a monitor, in order; those seen since a moment only. */
export const streamChanges = (db: Db, monitor_id: string, since: Date | undefined): AsyncIterable<ChangeDocument> =>
  since
    ? changesOf(db)
        .find({ monitor_id, seen_at: { $gte: since } }, using(changesBy.monitor_seen))
        .sort({ seen_at: 1, sequence: 1 })
    : changesOf(db).find({ monitor_id }, using(changesBy.monitor_sequence)).sort({ sequence: 1 })

/** How many changes of each type a run found. */
export async function countChanges(db: Db, monitor_id: string, run_at: Date): Promise<Record<ChangeType, number>> {
  const counts = { new: 0, changed: 0, gone: 0, back: 0 }
  const byType = [{ $match: { monitor_id, run_at } }, { $group: { _id: '$type', count: { $sum: 1 } } }]
  const found = changesOf(db).aggregate<{ _id: ChangeType; count: number }>(byType, using(changesBy.monitor_run_place))
  for await (const { _id, count } of found) counts[_id] = count
  return counts
}

/** Removes the changes that a monitor found up to a run. The last one stays, because the next number follows from it. */
export async function removeChangesUntil(db: Db, monitor_id: string, run_at: Date): Promise<void> {
  const newest = { sort: { sequence: -1 }, ...using(changesBy.monitor_sequence) } as const
  const last = await changesOf(db).findOne({ monitor_id }, newest)
  if (!last) return
  const old = { monitor_id, run_at: { $lte: run_at }, sequence: { $lt: last.sequence } }
  await removeAll(changesOf(db), old, { index: changesBy.monitor_run_place })
}

/** The places that at least so many whole runs in a row missed (2 or more), those that are missing longest first. */
export async function missingPlaces(
  db: Db,
  monitor_id: string,
  misses: number,
  limit: number,
): Promise<PlaceReference[]> {
  const filter = { monitor_id, missed: { $gte: misses } }
  const places = watchedPlacesOf(db)
    .find(filter, using(watchedPlacesBy.monitor_missing))
    .sort({ missed: -1, place_key: 1 })
  return (await places.limit(limit).toArray()).map(referenceOf)
}

/** Removes the watched places and the changes of a deleted monitor. */
export async function removeWatch(db: Db, monitor_id: string): Promise<void> {
  await removeAll(watchedPlacesOf(db), { monitor_id }, { index: watchedPlacesBy.monitor_place })
  await removeAll(changesOf(db), { monitor_id }, { index: changesBy.monitor_sequence })
}

/** Returns how to collect a watched place. */
const referenceOf = ({
  place_key,
  fields: { title, latitude, longitude } = {},
}: Pick<WatchedPlaceDocument, 'place_key' | 'fields'>): PlaceReference => ({
  place_key,
  ...(title !== undefined && { title }),
  ...(latitude !== undefined && { latitude }),
  ...(longitude !== undefined && { longitude }),
})

/**
 * Removes a place from what all monitors know, and empties its changes. They keep their numbers: a client that reads on
 * behind the last number that it has would miss a change with a number that was given before.
 */
export function watchedPlaceErasure(db: Db, place_key: string): ErasureStep[] {
  const filter = { place_key }
  const emptied = [{ $set: { place_key: ERASED_KEY } }, { $unset: ['title', 'latitude', 'longitude', 'fields'] }]
  return [
    { collection: watchedPlacesOf(db).collectionName, filter, update: 'remove' },
    { collection: changesOf(db).collectionName, filter, update: emptied },
  ]
}

export type ChangeReads = { monitors: Pick<MonitorStore, 'find'>; db: Db }

/**
 * Returns a page of the changes that a monitor found.
 * @throws AppError `not_found`.
 */
export async function listChanges(
  { monitors, db }: ChangeReads,
  user_id: string,
  monitor_id: string,
  { since: from, limit, ...order }: z.infer<typeof ChangesQuery>,
): Promise<z.infer<typeof ChangeList>> {
  const monitor = orNotFound(await monitors.find(user_id, monitor_id), 'monitor')
  const since = from === undefined ? undefined : new Date(from)
  const documents = await changesPage(db, monitor._id, { ...order, since, limit: limit + 1 })
  return { changes: documents.slice(0, limit).map(presentChange), has_more: documents.length > limit }
}
