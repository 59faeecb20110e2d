import { canMove, isFinal, type JobStatus } from '@placefleet/shared/job-status'
import type { Collection, Document } from 'mongodb'
import type { MicroCredits } from '../billing/cost.ts'
import { ago, fromNow } from '../mongo/time.ts'
import { TIMINGS, type Timings } from '../timings.ts'
import type { JobDocument, JobDraft, OwnedJob } from './documents.ts'
import { dueJobs, KEY_WINDOW_HOURS } from './due-jobs.ts'
import { createJobCount, type JobCount } from './job-count.ts'
import { userJobs } from './user-jobs.ts'

/** How long a creation may take before it counts as dead (DECISIONS, "Idempotency"). */
const CREATION_SECONDS = 60

/** Creates the jobs of a database. Reads for a user take the user's id first and see only listed jobs. */
export function createJobStore(jobs: Collection<JobDocument>, timings: Timings = TIMINGS) {
  const count = createJobCount(jobs)
  return {
    ...creationQueries(jobs, count, timings),
    ...keyQueries(jobs),
    ...lifeQueries(jobs),
    ...dueJobs(jobs, count, timings),
    ...userJobs(jobs, count),
  }
}

export type JobStore = ReturnType<typeof createJobStore>

function creationQueries(jobs: Collection<JobDocument>, count: JobCount, { sweepMs }: Timings) {
  return {
    /** Inserts a job at the database's time. Throws the driver's error when its key or its slot is taken. */
    async insert(draft: JobDraft): Promise<void> {
      const key = draft.idempotency ? { 'idempotency.expires_at': fromNow(KEY_WINDOW_HOURS, 'hour') } : {}
      const due_at = fromNow(CREATION_SECONDS + 1, 'second')
      const stamps = { created_at: '$$NOW', updated_at: '$$NOW', due_at, ...key }
      const pipeline = [{ $replaceWith: { $literal: draft } }, { $set: stamps }]
      await jobs.updateOne({ _id: draft._id }, pipeline, { upsert: true })
    },

    /** Returns the slots of a user's active jobs. */
    takenSlots: (user_id: string): Promise<unknown[]> => jobs.distinct('slot', { user_id, slot: { $exists: true } }),

    /** Returns the ids of a user's active jobs. */
    activeIds: (user_id: string): Promise<string[]> => jobs.distinct('_id', { user_id, slot: { $exists: true } }),

    /** Lists a created job for its user. Returns false when the creation took too long and was rolled back. */
    async list({ _id, user_id }: OwnedJob, held: MicroCredits): Promise<boolean> {
      const inCreation = { _id, given_up: { $exists: false } }
      const listed = [{ $set: { held, listed: true, due_at: fromNow(sweepMs, 'millisecond') } }]
      const { matchedCount } = await jobs.updateOne(inCreation, listed).finally(() => count.changed(user_id))
      return matchedCount === 1
    },

    /** Starts to roll back a creation: it can no longer be listed. Returns false when it is listed or removed. */
    abandon: async (job_id: string): Promise<boolean> =>
      (
        await jobs.updateOne(
          { _id: job_id, listed: false, deleted_at: { $exists: false } },
          { $set: { given_up: true } },
        )
      ).matchedCount === 1,

    /** Removes a job that was never listed. */
    remove: async (job_id: string): Promise<void> => {
      await jobs.deleteOne({ _id: job_id, listed: false })
    },

    /** Whether a job's creation was interrupted. */
    isStalledCreation: async (job_id: string): Promise<boolean> => {
      const tooLong = { $expr: { $lt: ['$created_at', ago(CREATION_SECONDS, 'second')] } }
      const stalled = { _id: job_id, listed: false, deleted_at: { $exists: false }, ...tooLong }
      return (await jobs.findOne(stalled, { projection: { _id: 1 } })) !== null
    },
  }
}

function keyQueries(jobs: Collection<JobDocument>) {
  return {
    /** The job that a user's `Idempotency-Key` created, and whether the key has expired. */
    async findByKey(user_id: string, key: string): Promise<(JobDocument & { key_has_expired: boolean }) | undefined> {
      const expired = { $set: { key_has_expired: { $lt: ['$idempotency.expires_at', '$$NOW'] } } }
      const stages = [{ $match: { user_id, 'idempotency.key': key } }, expired]
      const [job] = await jobs.aggregate<JobDocument & { key_has_expired: boolean }>(stages).toArray()
      return job
    },

    /** Frees the key of a job. */
    async forgetKey(job_id: string): Promise<void> {
      await jobs.updateOne({ _id: job_id }, { $unset: { idempotency: '' } })
    },
  }
}

function lifeQueries(jobs: Collection<JobDocument>) {
  /**
   * Moves a job to another status and applies `changes`. Returns undefined when its status is no longer `from`. @throws
   * Error when the move is not allowed.
   */
  const move = async (job_id: string, from: JobStatus, to: JobStatus, changes: Document = {}) => {
    if (!canMove(from, to)) throw new Error(`a job never goes from ${from} to ${to}`)
    const ended = isFinal(to)
      ? [{ $set: { ended_at: '$$NOW' } }, { $unset: ['slot', 'progress.waiting_until', 'progress.waiting_reason'] }]
      : []
    const update = [{ $set: { status: to, updated_at: '$$NOW', ...changes } }, ...ended]
    return (
      (await jobs.findOneAndUpdate({ _id: job_id, status: from }, update, { returnDocument: 'after' })) ?? undefined
    )
  }

  return {
    move,

    find: async (job_id: string): Promise<JobDocument | undefined> =>
      (await jobs.findOne({ _id: job_id })) ?? undefined,

    /** Starts a pending job and sets its deadline. */
    start(job_id: string): Promise<JobDocument | undefined> {
      const deadline_at = fromNow('$data.max_time', 'second')
      return move(job_id, 'pending', 'running', { started_at: '$$NOW', deadline_at })
    },

    /** Writes the progress of an active job. Totals only rise, so updates may arrive in any order. */
    async showProgress(
      job_id: string,
      shown: Partial<
        Pick<JobDocument, 'progress' | 'outcomes' | 'website_visits' | 'limited_reason' | 'totals' | 'spent'>
      >,
    ) {
      const { totals: { places = 0, reviews = 0, images = 0 } = {}, ...fields } = shown
      const totals = { 'totals.places': places, 'totals.reviews': reviews, 'totals.images': images }
      const active = { $in: ['pending', 'running', 'aborting'] as JobStatus[] }
      await jobs.updateOne(
        { _id: job_id, status: active },
        { $max: totals, ...(hasFields(fields) && { $set: fields }) },
      )
    },
  }
}

const hasFields = (fields: object): boolean => Object.keys(fields).length > 0
