import type { Db } from 'mongodb'
import { removeAll } from '../mongo/in-batches.ts'
import { using } from '../mongo/indexes.ts'
import { knownPlacesBy, knownPlacesOf } from './documents.ts'

/** Known places of a user at most. */
export const MOST_KNOWN = 1_000_000

/**
 * Forgets the known places of a user beyond the limit, those first that no job has seen for the longest time. To count
 * a million takes the database a second, so it is done once at the end of a job. Safe to repeat.
 */
export async function enforceLimit(db: Db, user_id: string, most: number): Promise<void> {
  const known = knownPlacesOf(db)
  const surplus = (await known.countDocuments({ user_id }, using(knownPlacesBy.user_place))) - most
  if (surplus <= 0) return
  await removeAll(known, { user_id }, { index: knownPlacesBy.user_seen, sort: { last_seen_at: 1 }, most: surplus })
}
