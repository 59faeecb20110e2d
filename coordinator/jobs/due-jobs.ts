import type { Collection, Filter } from 'mongodb'
import { using, usingKey } from '../mongo/indexes.ts'
import { ago, fromNow } from '../mongo/time.ts'
import type { Timings } from '../timings.ts'
import {
  ABORTING_INDEX,
  CREATED_INDEX,
  DEADLINE_INDEX,
  DUE_INDEX,
  DUE_KEY,
  type JobDocument,
  type OwnedJob,
} from './documents.ts'
import type { JobCount } from './job-count.ts'

/** How long a key belongs to the job that it created (SPEC, "Idempotency"). */
export const KEY_WINDOW_HOURS = 24

/** How long the tasks of an ended job stay. Late agents learn from them that their task has ended. */
const TASKS_KEPT_SECONDS = 60

const after = (field: string, amount: number, unit: 'second' | 'hour') =>
  ({ $dateAdd: { startDate: field, unit, amount } }) as const

/** When a deleted job can be removed entirely: its key has expired, and no late agent needs it. */
const TOMBSTONE_END = {
  $max: [after('$created_at', KEY_WINDOW_HOURS, 'hour'), after('$purged_at', TASKS_KEPT_SECONDS, 'second')],
}

const CLOSED_END = {
  $cond: [{ $gt: ['$purged_at', null] }, TOMBSTONE_END, after('$closed_at', TASKS_KEPT_SECONDS, 'second')],
}

/** Returns the jobs that the sweepers must look at, and the steps after a job's end. */
export const dueJobs = (jobs: Collection<JobDocument>, count: JobCount, timings: Timings) => ({
  ...dueQueries(jobs, timings),
  ...endSteps(jobs, count),
})

function dueQueries(jobs: Collection<JobDocument>, { sweepMs, abortTimeoutMs }: Timings) {
  const abortTimedOut = { $expr: { $lt: ['$aborted_at', ago(abortTimeoutMs, 'millisecond')] } }
  const idsOf = async (filter: Filter<JobDocument>, index: string): Promise<string[]> => {
    const found = await jobs.find(filter, { projection: { _id: 1 }, ...using(index) }).toArray()
    return found.map((job) => job._id)
  }

  return {
    /** Claims the longest due job, so that other coordinators skip it for a while. Undefined when none is due. */
    async takeDue(): Promise<JobDocument | undefined> {
      const update = [{ $set: { swept_at: '$$NOW', due_at: fromNow(sweepMs, 'millisecond') } }]
      const due = { due_at: { $exists: true }, $expr: { $lte: ['$due_at', '$$NOW'] } }
      const oldest = { sort: DUE_KEY, ...usingKey(DUE_INDEX, DUE_KEY), returnDocument: 'after' } as const
      return (await jobs.findOneAndUpdate(due, update, oldest)) ?? undefined
    },

    /** Returns the aborting jobs that have waited long enough for their agents. */
    abortTimeouts: (): Promise<string[]> => idsOf({ ...abortTimedOut, status: 'aborting' }, ABORTING_INDEX),

    /** Whether an aborting job has waited for its agents long enough, by the database's clock. */
    abortTimedOut: async (job_id: string): Promise<boolean> =>
      (await jobs.findOne({ ...abortTimedOut, _id: job_id }, { projection: { _id: 1 } })) !== null,

    /** Returns the running jobs past their deadline. */
    pastDeadline: (): Promise<string[]> =>
      idsOf({ status: 'running', $expr: { $lt: ['$deadline_at', '$$NOW'] } }, DEADLINE_INDEX),

    /** Returns ended jobs that were created more than this many days ago, oldest first. */
    olderThan: async (days: number, limit: number): Promise<JobDocument[]> => {
      const isOld = { $expr: { $lt: ['$created_at', ago(days * 24, 'hour')] } }
      const old = { listed: true, closed_at: { $exists: true }, ...isOld }
      return jobs.find(old, using(CREATED_INDEX)).sort({ created_at: 1 }).limit(limit).toArray()
    },
  }
}

/** Returns the steps after a job's end: it is closed and cleaned up, or hidden and purged. */
function endSteps(jobs: Collection<JobDocument>, count: JobCount) {
  return {
    /** Whether the tasks of a closed job may be removed or, once it is purged, the job itself. */
    async isOver(job_id: string): Promise<boolean> {
      const cleanupDue = { $expr: { $lt: [CLOSED_END, '$$NOW'] } }
      return (await jobs.findOne({ _id: job_id, ...cleanupDue }, { projection: { _id: 1 } })) !== null
    },

    /** Schedules the cleanup of a closed job by the sweepers. */
    async postpone(job_id: string): Promise<void> {
      await jobs.updateOne({ _id: job_id }, [{ $set: { due_at: CLOSED_END } }])
    },

    /** Ends the sweepers' work on a job. */
    async release(job_id: string): Promise<void> {
      await jobs.updateOne({ _id: job_id }, { $unset: { due_at: '' } })
    },

    /** Hides a job from its user. The sweepers finish the deletion. */
    async hide({ _id, user_id }: OwnedJob): Promise<void> {
      const hidden = { listed: false, unpurged: true, deleted_at: '$$NOW', due_at: '$$NOW' }
      await jobs.updateOne({ _id }, [{ $set: hidden }]).finally(() => count.changed(user_id))
    },

    /** Records that an ended job was billed and its webhook deliveries recorded. Its tasks stay a little longer. */
    async closed(job_id: string): Promise<JobDocument | undefined> {
      const update = [{ $set: { closed_at: '$$NOW', due_at: fromNow(TASKS_KEPT_SECONDS, 'second') } }]
      return (await jobs.findOneAndUpdate({ _id: job_id }, update, { returnDocument: 'after' })) ?? undefined
    },

    /** Records that a deleted job's places are removed. The job document stays until its `Idempotency-Key` expires. */
    async purged(job_id: string): Promise<void> {
      await jobs.updateOne({ _id: job_id }, [
        { $set: { purged_at: '$$NOW' } },
        { $set: { due_at: TOMBSTONE_END } },
        { $unset: 'unpurged' },
      ])
    },
  }
}
