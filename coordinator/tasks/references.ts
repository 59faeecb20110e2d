import { randomUUID } from 'node:crypto'
import type { PlaceReference } from '@placefleet/shared/place'
import type { Db } from 'mongodb'
import { appendToChain, insertedBeforeDuplicate } from '../mongo/chain.ts'
import { createSerial } from '../mongo/serial.ts'
import { type ReferenceDocument, referencesOf } from './documents.ts'
import { TASK_SIZE } from './plan.ts'

/** The places that a job's searches listed, in one order, each once. */
export type References = {
  /** Adds references the job does not have yet. Gives how many it had. Safe to repeat. */
  add(job_id: string, references: PlaceReference[]): Promise<{ known: number }>
  /** How many places the job's searches listed so far. */
  count(job_id: string): Promise<number>
  /** Those of the collect task with this ordinal. */
  ofTask(job_id: string, ordinal: number): Promise<PlaceReference[]>
  remove(job_id: string): Promise<void>
}

/** The references of a database. */
export function createReferences(db: Db): References {
  const references = referencesOf(db)
  const serial = createSerial()

  const last = async (job_id: string) => (await references.findOne({ job_id }, { sort: { position: -1 } })) ?? undefined

  const add = async (job_id: string, found: PlaceReference[]) => {
    const distinct = [...new Map(found.map((reference) => [reference.place_key, reference])).values()]
    const { known } = await appendToChain<PlaceReference, ReferenceDocument>(
      {
        known: (keys) => references.distinct('place_key', { job_id, place_key: { $in: keys } }),
        last: () => last(job_id),
        build: async (previous, items) =>
          items.map((reference, index) => ({
            _id: randomUUID(),
            job_id,
            position: (previous?.position ?? 0) + index + 1,
            place_key: reference.place_key,
            reference,
          })),
        insert: (members) => insertedBeforeDuplicate(references.insertMany(members, { ordered: true })),
      },
      distinct,
    )
    return { known: known.length }
  }

  return {
    add: (job_id, found) => serial(job_id, () => add(job_id, found)),
    count: async (job_id) => (await last(job_id))?.position ?? 0,
    ofTask: async (job_id, ordinal) => {
      const position = { $gt: ordinal * TASK_SIZE, $lte: (ordinal + 1) * TASK_SIZE }
      const found = await references.find({ job_id, position }).sort({ position: 1 }).toArray()
      return found.map(({ reference }) => reference)
    },
    remove: async (job_id) => {
      await references.deleteMany({ job_id })
    },
  }
}
