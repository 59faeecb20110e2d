import type { PlaceReference } from '@placefleet/shared/place'
import { LRUCache } from 'lru-cache'
import type { Db } from 'mongodb'
import { appendToChain, createSerial, insertedBeforeDuplicate } from '../mongo/locks.ts'
import { timeOrderedUuid } from '../mongo/time.ts'
import { REFERENCE_INDEX, type ReferenceDocument, referencesOf } from './documents.ts'
import { TASK_SIZE } from './plan.ts'

/** Places that a job's searches list at most: five times what the deepest search of five keywords can. */
export const MAX_REFERENCES = 10_000

/** Jobs whose last reference is remembered. One that is forgotten costs two queries more. */
const MAX_SEEN = 5_000

/** How many of some references the job had before, and how many it has no room for. */
export type AddedReferences = { known: number; refused: number }

/** The places that a job's searches listed, in one order, each once. */
export type References = {
  /** Adds the references that the job does not have yet, up to `MAX_REFERENCES`. Safe to repeat. */
  add(job_id: string, references: PlaceReference[]): Promise<AddedReferences>
  /** The number of places that the job's searches have listed so far. */
  count(job_id: string): Promise<number>
  /** The references of the collect task with this ordinal. */
  ofTask(job_id: string, ordinal: number): Promise<PlaceReference[]>
  /** Removes a job's references. */
  remove(job_id: string): Promise<void>
}

/** The references of a database. */
export function createReferences(db: Db): References {
  const references = referencesOf(db)
  const serial = createSerial()
  const seen = new LRUCache<string, { position: number }>({ max: MAX_SEEN })

  const last = async (job_id: string) =>
    (await references.findOne({ job_id }, { sort: { position: -1 }, hint: REFERENCE_INDEX })) ?? undefined

  const add = async (job_id: string, found: PlaceReference[]): Promise<AddedReferences> => {
    const distinct = [...new Map(found.map((reference) => [reference.place_key, reference])).values()]
    const build = (previous: { position: number } | undefined, items: PlaceReference[]): ReferenceDocument[] => {
      const start = previous?.position ?? 0
      return items.slice(0, Math.max(0, MAX_REFERENCES - start)).map((reference, index) => ({
        _id: timeOrderedUuid(),
        job_id,
        position: start + index + 1,
        place_key: reference.place_key,
        reference,
      }))
    }
    const appended = await appendToChain<PlaceReference, { position: number }, ReferenceDocument>(
      {
        seen: seen.get(job_id),
        known: (keys) => references.distinct('place_key', { job_id, place_key: { $in: keys } }),
        last: () => last(job_id),
        build,
        insert: (members) => insertedBeforeDuplicate(references.insertMany(members, { ordered: true })),
      },
      distinct,
    )
    if (appended.last) seen.set(job_id, { position: appended.last.position })
    return { known: appended.known.length, refused: appended.left.length }
  }

  return {
    add: (job_id, found) => serial(job_id, () => add(job_id, found)),
    count: async (job_id) => (await last(job_id))?.position ?? 0,
    ofTask: async (job_id, ordinal) => {
      const position = { $gt: ordinal * TASK_SIZE, $lte: (ordinal + 1) * TASK_SIZE }
      const cursor = references.find({ job_id, position }, { hint: REFERENCE_INDEX }).sort({ position: 1 })
      return (await cursor.toArray()).map(({ reference }) => reference)
    },
    remove: async (job_id) => {
      seen.delete(job_id)
      await references.deleteMany({ job_id }, { hint: REFERENCE_INDEX })
    },
  }
}
