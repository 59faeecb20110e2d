import type { Collection, Filter } from 'mongodb'
import { createDueQueue, dueNow, NOT_DUE } from '../mongo/due-work.ts'
import { type Index, using } from '../mongo/indexes.ts'
import { ago } from '../mongo/time.ts'
import type { Timings } from '../timings.ts'
import { type JobDocument, jobsBy } from './documents.ts'

/** How long an `Idempotency-Key` belongs to the job, or to the run of a monitor, that it began. */
export const KEY_WINDOW_HOURS = 24

/** How long what the agents of a job need stays after its end, for late ones. */
export const KEPT_FOR_AGENTS_SECONDS = 60

const after = (field: string, amount: number, unit: 'second' | 'hour') =>
  ({ $dateAdd: { startDate: field, unit, amount } }) as const

/** When no late agent works for a job any more, which has ended or is deleted. */
const AGENTS_END = after('$phase_at', KEPT_FOR_AGENTS_SECONDS, 'second')

/** When the rest of a job can be removed: of an ended one the references, of a deleted one all, once its key has expired. */
export const REMOVABLE_AT = {
  $cond: [
    { $eq: ['$phase', 'deleted'] },
    { $max: [after('$created_at', KEY_WINDOW_HOURS, 'hour'), AGENTS_END] },
    AGENTS_END,
  ],
}

type InPhase = Pick<JobDocument, '_id' | 'phase'>

export type DueJobs = ReturnType<typeof dueJobs>

/** Returns the jobs that the sweepers must look at, and when the rest of a job goes. */
export const dueJobs = (jobs: Collection<JobDocument>, timings: Timings) => ({
  ...dueQueries(jobs, timings),
  ...restQueries(jobs),
})

function dueQueries(jobs: Collection<JobDocument>, { sweepMs, abortTimeoutMs }: Timings) {
  const abortTimedOut: Filter<JobDocument> = {
    phase: 'aborting',
    $expr: { $lt: ['$phase_at', ago(abortTimeoutMs, 'millisecond')] },
  }
  const idsOf = async (filter: Filter<JobDocument>, index: Index): Promise<string[]> => {
    const documents = await jobs.find(filter, { projection: { _id: 1 }, ...using(index) }).toArray()
    return documents.map((job) => job._id)
  }

  return {
    /** Leases the job that has been due longest. A sweeper looks at it again and again until its work ends. */
    takeDue: createDueQueue(jobs, { leaseMs: sweepMs }).take,

    /** Returns the aborting jobs that have waited long enough for their agents. */
    abortTimeouts: (): Promise<string[]> => idsOf(abortTimedOut, jobsBy.aborting),

    /** Whether an aborting job has waited for its agents long enough, by the database's clock. */
    abortTimedOut: async (job_id: string): Promise<boolean> =>
      (await jobs.findOne({ ...abortTimedOut, _id: job_id }, { projection: { _id: 1 } })) !== null,

    /** Returns the running jobs past their deadline. */
    pastDeadline: (): Promise<string[]> =>
      idsOf({ phase: 'running', $expr: { $lt: ['$deadline_at', '$$NOW'] } }, jobsBy.running_deadline),

    /** Returns ended jobs that were created more than this many days ago, oldest first. */
    olderThan: async (days: number, limit: number): Promise<JobDocument[]> => {
      const isOld = { $expr: { $lt: ['$created_at', ago(days * 24, 'hour')] } }
      const old: Filter<JobDocument> = { listed: true, phase: 'ended', ...isOld }
      return jobs.find(old, using(jobsBy.listed_created)).sort({ created_at: 1 }).limit(limit).toArray()
    },
  }
}

function restQueries(jobs: Collection<JobDocument>) {
  return {
    /** Whether the tasks of an ended job may be removed, or a deleted job itself. */
    async isOver(job_id: string): Promise<boolean> {
      const isOver = { $expr: { $lt: [REMOVABLE_AT, '$$NOW'] } }
      return (await jobs.findOne({ _id: job_id, ...isOver }, { projection: { _id: 1 } })) !== null
    },

    /** Has the sweepers look at a job again when it is over, if it is still in this phase. */
    async postpone({ _id, phase }: InPhase): Promise<void> {
      await jobs.updateOne({ _id, phase }, [{ $set: { ...dueNow(), due_at: REMOVABLE_AT } }])
    },

    /** Ends the sweepers' work on a job in this phase. A deletion in the meantime goes on. */
    async unschedule({ _id, phase }: InPhase): Promise<void> {
      await jobs.updateOne({ _id, phase }, [{ $set: NOT_DUE }])
    },
  }
}
