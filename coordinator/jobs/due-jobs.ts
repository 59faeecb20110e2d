import type { Collection, Filter } from 'mongodb'
import { ago, fromNow } from '../mongo/time.ts'
import { ABORTING_INDEX, CREATED_INDEX, DEADLINE_INDEX, type JobDocument } from './documents.ts'

/** How long a key stands for the job it created (SPEC, "Idempotency"). */
export const KEY_WINDOW_HOURS = 24

/** How long a sweeper leaves a job alone after it looked at it. */
export const SWEEP_SECONDS = 5

/** How long an aborting job waits for its agents to stop before it ends without them. */
const ABORT_TIMEOUT_SECONDS = 8

/** How long the tasks of an ended job stay, so that late agents are told that they are done. */
const TASKS_KEPT_SECONDS = 60

const ABORT_TIMED_OUT = { $expr: { $lt: ['$aborted_at', ago(ABORT_TIMEOUT_SECONDS, 'second')] } }

const after = (field: string, amount: number, unit: 'second' | 'hour') =>
  ({ $dateAdd: { startDate: field, unit, amount } }) as const

/** When a deleted job can be forgotten: its key has expired, and no late agent asks for it. */
const TOMBSTONE_END = {
  $max: [after('$created_at', KEY_WINDOW_HOURS, 'hour'), after('$purged_at', TASKS_KEPT_SECONDS, 'second')],
}

const CLOSED_END = {
  $cond: [{ $gt: ['$purged_at', null] }, TOMBSTONE_END, after('$closed_at', TASKS_KEPT_SECONDS, 'second')],
}

/** The jobs that the sweepers must look at, and the steps after a job's end. */
export const dueJobs = (jobs: Collection<JobDocument>) => ({ ...dueQueries(jobs), ...endSteps(jobs) })

function dueQueries(jobs: Collection<JobDocument>) {
  const idsOf = async (filter: Filter<JobDocument>, hint: string): Promise<string[]> => {
    const found = await jobs.find(filter, { projection: { _id: 1 }, hint }).toArray()
    return found.map((job) => job._id)
  }

  return {
    /** Claims the job that has been due longest, so that other coordinators skip it for a while. Undefined: none is due. */
    async takeDue(): Promise<JobDocument | undefined> {
      const update = [{ $set: { swept_at: '$$NOW', due_at: fromNow(SWEEP_SECONDS, 'second') } }]
      const due = { due_at: { $exists: true }, $expr: { $lte: ['$due_at', '$$NOW'] } }
      const oldest = { sort: { due_at: 1 }, hint: { due_at: 1 }, returnDocument: 'after' } as const
      return (await jobs.findOneAndUpdate(due, update, oldest)) ?? undefined
    },

    /** The aborting jobs that have waited for their agents long enough. */
    abortTimeouts: (): Promise<string[]> => idsOf({ ...ABORT_TIMED_OUT, status: 'aborting' }, ABORTING_INDEX),

    /** The running jobs past their deadline. */
    pastDeadline: (): Promise<string[]> =>
      idsOf({ status: 'running', $expr: { $lt: ['$deadline_at', '$$NOW'] } }, DEADLINE_INDEX),

    /** Ended jobs that were created more than this many days ago, oldest first. */
    olderThan: async (days: number, limit: number): Promise<JobDocument[]> => {
      const isOld = { $expr: { $lt: ['$created_at', ago(days * 24, 'hour')] } }
      const old = { listed: true, closed_at: { $exists: true }, ...isOld }
      return jobs.find(old, { hint: CREATED_INDEX }).sort({ created_at: 1 }).limit(limit).toArray()
    },
  }
}

/** What follows a job's end: it is closed and tidied up, or hidden and purged. */
function endSteps(jobs: Collection<JobDocument>) {
  return {
    /** Whether a closed job's tasks can be deleted or, once it is purged, its tombstone. */
    async isOver(job_id: string): Promise<boolean> {
      const over = { $expr: { $lt: [CLOSED_END, '$$NOW'] } }
      return (await jobs.findOne({ _id: job_id, ...over }, { projection: { _id: 1 } })) !== null
    },

    /** Schedules the cleanup of a closed job by the sweepers. */
    async postpone(job_id: string): Promise<void> {
      await jobs.updateOne({ _id: job_id }, [{ $set: { due_at: CLOSED_END } }])
    },

    /** Ends the sweepers' work on a job. */
    async release(job_id: string): Promise<void> {
      await jobs.updateOne({ _id: job_id }, { $unset: { due_at: '' } })
    },

    /** Hides a job from its user for good, and has the sweepers finish the deletion. */
    async hide(job_id: string): Promise<void> {
      const hidden = { listed: false, unpurged: true, deleted_at: '$$NOW', due_at: '$$NOW' }
      await jobs.updateOne({ _id: job_id }, [{ $set: hidden }])
    },

    /** Records that everything a job's end entails was done. Its tasks stay a little longer. */
    async closed(job_id: string): Promise<JobDocument | undefined> {
      const update = [{ $set: { closed_at: '$$NOW', due_at: fromNow(TASKS_KEPT_SECONDS, 'second') } }]
      return (await jobs.findOneAndUpdate({ _id: job_id }, update, { returnDocument: 'after' })) ?? undefined
    },

    /** Records that a deleted job's places are removed. What remains keeps its `Idempotency-Key` for its time. */
    async purged(job_id: string): Promise<void> {
      await jobs.updateOne({ _id: job_id }, [
        { $set: { purged_at: '$$NOW' } },
        { $set: { due_at: TOMBSTONE_END } },
        { $unset: 'unpurged' },
      ])
    },

    /** Whether an aborting job has waited for its agents long enough, by the database's clock. */
    abortTimedOut: async (job_id: string): Promise<boolean> =>
      (await jobs.findOne({ ...ABORT_TIMED_OUT, _id: job_id }, { projection: { _id: 1 } })) !== null,
  }
}
