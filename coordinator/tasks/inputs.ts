import type { InputReport } from '@placefleet/shared/named-place'
import type { Db } from 'mongodb'
import { using } from '../mongo/indexes.ts'
import { type ReferenceDocument, referencesBy, referencesOf } from './documents.ts'

// What became of the places that users named: the inputs among the references of their jobs.

/** What is known of an input of a job. */
export type KnownInput = Pick<ReferenceDocument, 'place_key' | 'position' | 'found_key' | 'missed'>

/** Notes what an agent says of inputs of a job, of at least one. Safe to repeat. */
export async function reportInputs(db: Db, job_id: string, reports: readonly InputReport[]): Promise<void> {
  await referencesOf(db).bulkWrite(
    reports.map(({ reference_key, place_key: found_key, status: missed }) => ({
      updateOne: {
        filter: { job_id, place_key: reference_key, input: { $exists: true } },
        update: { $set: { ...(found_key !== undefined && { found_key }), ...(missed && { missed }) } },
      },
    })),
    { ordered: false },
  )
}

/** Returns those of a job's inputs that have these keys. */
export const findInputs = (db: Db, job_id: string, keys: readonly string[]): Promise<KnownInput[]> =>
  referencesOf(db)
    .find(
      { job_id, place_key: { $in: [...keys] } },
      { ...using(referencesBy.job_place), projection: { place_key: 1, position: 1, found_key: 1, missed: 1 } },
    )
    .toArray()
