import type { Db } from 'mongodb'
import { createCache } from '../cache.ts'
import { removeAll } from '../mongo/in-batches.ts'
import { using } from '../mongo/indexes.ts'
import { knownPlacesBy, knownPlacesOf } from './documents.ts'

/** Known places of a user at most. */
export const MOST_KNOWN = 1_000_000

const MAX_KEPT = 10_000

/**
 * Creates the limit of the known places that jobs store. Beyond it a tenth is forgotten, those first that no job has seen
 * for the longest time. To count a million places takes the database a second, so a coordinator counts those of a user
 * once, and again after as many new ones as are sure to fit, or a tenth. Together coordinators may exceed the limit by a
 * tenth each.
 */
export function createKnownCap(db: Db, most: number) {
  const known = knownPlacesOf(db)
  const tenth = Math.ceil(most / 10)
  const room = createCache<number>(MAX_KEPT)
  return {
    /** Forgets old places of a user after new ones were stored, if there are too many now. Safe to repeat. */
    async keep(user_id: string, added: number): Promise<void> {
      const left = (room.get(user_id) ?? 0) - added
      if (added === 0 || left >= 0) {
        room.set(user_id, Math.max(0, left))
        return
      }
      const count = await known.countDocuments({ user_id }, using(knownPlacesBy.user_place))
      const goes = count > most ? count - most + tenth : 0
      if (goes > 0)
        await removeAll(known, { user_id }, { index: knownPlacesBy.user_seen, sort: { last_seen_at: 1 }, most: goes })
      room.set(user_id, Math.min(tenth, most - count + goes))
    },
  }
}
