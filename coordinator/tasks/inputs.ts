import type { InputReport } from '@placefleet/shared/input-report'
import type { Collection } from 'mongodb'
import { using } from '../mongo/indexes.ts'
import { type ReferenceDocument, referencesBy } from './documents.ts'

/** What is known of an input of a job. */
export type KnownInput = Pick<ReferenceDocument, 'place_key' | 'position' | 'found_key' | 'missed'>

/** What became of the places that users named: the inputs among the references of their jobs. */
export type Inputs = ReturnType<typeof inputQueries>

/** Reads and notes what is known of the inputs of jobs. */
export const inputQueries = (references: Collection<ReferenceDocument>) => ({
  /** Notes what an agent says of inputs of a job. Safe to repeat. */
  async reportInputs(job_id: string, reports: readonly InputReport[]): Promise<void> {
    if (reports.length === 0) return
    await references.bulkWrite(
      reports.map(({ reference_key, place_key: found_key, status: missed }) => ({
        updateOne: {
          filter: { job_id, place_key: reference_key, input: { $exists: true } },
          update: { $set: { ...(found_key !== undefined && { found_key }), ...(missed && { missed }) } },
        },
      })),
      { ordered: false },
    )
  },

  /** Returns those of a job's inputs that have these keys. */
  inputs: (job_id: string, keys: readonly string[]): Promise<KnownInput[]> =>
    references
      .find(
        { job_id, place_key: { $in: [...keys] } },
        { ...using(referencesBy.job_place), projection: { place_key: 1, position: 1, found_key: 1, missed: 1 } },
      )
      .toArray(),
})
