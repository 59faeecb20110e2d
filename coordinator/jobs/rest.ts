import type { Collection, Document } from 'mongodb'
import type { JobDocument } from './documents.ts'

/** The time at rest does not count against `max_time`, up to as much again, and a day at most. */
const MOST_MS = 24 * 3_600_000

export type RestCounts = ReturnType<typeof restCounts>

/** Returns how the time is counted in which the map site refuses all tasks of a job. */
export function restCounts(jobs: Collection<JobDocument>) {
  return {
    /**
     * Counts that a running job rests until a time, or that it goes on; then what was counted ahead is taken back. Moves
     * the deadline. Changes nothing when that was counted before.
     */
    async countRest({ _id, rest }: Pick<JobDocument, '_id' | 'rest'>, until: Date | undefined): Promise<void> {
      if (rest?.until?.getTime() === until?.getTime()) return
      await jobs.updateOne({ _id, phase: 'running' }, counted(until))
    },

    /** Whether a running job is past its deadline, by the database's clock. */
    isLate: async (job_id: string): Promise<boolean> =>
      (await jobs.findOne({ ...late, _id: job_id }, { projection: { _id: 1 } })) !== null,
  }
}

const late = { phase: 'running' as const, $expr: { $lt: ['$deadline_at', '$$NOW'] } }

const ms = (amount: Document | string) => ({ $ifNull: [amount, 0] })

/** From what was counted so far, to now or to the end of the rest. */
function counted(until: Date | undefined): Document[] {
  const before = { $max: ['$$NOW', '$rest.until'] }
  const after = until === undefined ? '$$NOW' : { $max: ['$$NOW', until] }
  const allowed = { $min: ['$rest.ms', { $multiply: ['$data.max_time', 1_000] }, MOST_MS] }
  const deadline_at = {
    $dateAdd: {
      startDate: { $dateAdd: { startDate: '$started_at', unit: 'second', amount: '$data.max_time' } },
      unit: 'millisecond',
      amount: { $toLong: allowed },
    },
  }
  return [
    {
      $set: {
        'rest.ms': { $add: [ms('$rest.ms'), { $subtract: [after, before] }] },
        'rest.until': until ?? '$$REMOVE',
      },
    },
    { $set: { deadline_at } },
  ]
}
