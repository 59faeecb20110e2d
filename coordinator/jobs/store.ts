import type { Collection, Db, Filter } from 'mongodb'
import type { MicroCredits } from '../billing/prices/cost.ts'
import type { Updates } from '../mongo/locks.ts'
import { ago, fromNow } from '../mongo/time.ts'
import { TIMINGS, type Timings } from '../timings.ts'
import { type JobCounting, jobCounting } from './counts.ts'
import { type JobDocument, type JobDraft, jobsOf } from './documents.ts'
import { type DueJobs, dueJobs, KEY_WINDOW_HOURS } from './due-jobs.ts'
import { ACTIVE, IN_CREATION } from './phase.ts'
import { type PhaseMoves, phaseMoves } from './phase-moves.ts'
import { type RestCounts, restCounts } from './rest.ts'
import { type UserJobs, userJobs } from './user-jobs.ts'

/** How long a creation may take before it counts as dead. */
const CREATION_SECONDS = 60

/** The jobs of a database. Who uses it names the parts that it needs. */
export type JobStore = JobCreations & JobKeys & JobProgress & PhaseMoves & DueJobs & RestCounts & UserJobs & JobCounting

export type JobCreations = ReturnType<typeof creationQueries>
export type JobKeys = ReturnType<typeof keyQueries>
export type JobProgress = ReturnType<typeof jobProgress>

/** Creates the store over a database. Reads for a user take the user's id first and see only listed jobs. */
export function createJobStore(db: Db, timings: Timings = TIMINGS): JobStore {
  const jobs = jobsOf(db)
  return {
    ...creationQueries(jobs, timings),
    ...keyQueries(jobs),
    ...jobProgress(jobs),
    ...phaseMoves(jobs),
    ...dueJobs(jobs, timings),
    ...restCounts(jobs),
    ...userJobs(db),
    ...jobCounting(db),
  }
}

function creationQueries(jobs: Collection<JobDocument>, { sweepMs }: Timings) {
  return {
    /** Inserts a job at the database's time. Throws the driver's error when its key or its slot is taken. */
    async insert(draft: JobDraft): Promise<void> {
      const key = draft.idempotency ? { 'idempotency.expires_at': fromNow(KEY_WINDOW_HOURS, 'hour') } : {}
      const due_at = fromNow(CREATION_SECONDS + 1, 'second')
      const stamps = { created_at: '$$NOW', updated_at: '$$NOW', phase_at: '$$NOW', due_at, ...key }
      const pipeline = [{ $replaceWith: { $literal: draft } }, { $set: stamps }]
      await jobs.updateOne({ _id: draft._id }, pipeline, { upsert: true })
    },

    /** Returns the slots of a user's active jobs. */
    takenSlots: (user_id: string): Promise<unknown[]> => jobs.distinct('slot', { user_id, slot: { $exists: true } }),

    /** The update that lists a created job for its user. It finds no job whose creation was rolled back meanwhile. */
    publication(job_id: string, held: MicroCredits): Updates[number] {
      const due_at = fromNow(sweepMs, 'millisecond')
      const update = [{ $set: { phase: 'pending', phase_at: '$$NOW', held, listed: true, uncounted: 1, due_at } }]
      const { namespace } = jobs
      return { name: 'updateOne', namespace, filter: { _id: job_id, phase: 'creating' }, update }
    },

    /** Decides that a creation is rolled back: its job can no longer be listed. Returns false when it is listed or gone. */
    async abandon(job_id: string): Promise<boolean> {
      const inCreation: Filter<JobDocument> = { _id: job_id, phase: { $in: [...IN_CREATION] } }
      const { matchedCount } = await jobs.updateOne(inCreation, [
        { $set: { phase: 'rolling_back', phase_at: '$$NOW' } },
      ])
      return matchedCount === 1
    },

    /** Removes a job that was never listed, or that is deleted. */
    async remove(job_id: string): Promise<void> {
      await jobs.deleteOne({ _id: job_id, phase: { $in: ['rolling_back', 'deleted'] } })
    },

    /** Whether a job's creation was interrupted, or its rollback begun. */
    async isStalledCreation(job_id: string): Promise<boolean> {
      const tooLong = { $expr: { $lt: ['$created_at', ago(CREATION_SECONDS, 'second')] } }
      const stalled: Filter<JobDocument> = {
        _id: job_id,
        $or: [{ phase: 'rolling_back' }, { phase: 'creating', ...tooLong }],
      }
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

function jobProgress(jobs: Collection<JobDocument>) {
  return {
    find: async (job_id: string): Promise<JobDocument | undefined> =>
      (await jobs.findOne({ _id: job_id })) ?? undefined,

    /** Notes whether an agent may take a pending job: since when not, if not. */
    async noteAgent(job_id: string, hasAgent: boolean): Promise<void> {
      const no_agent_since = hasAgent ? '$$REMOVE' : { $ifNull: ['$no_agent_since', '$$NOW'] }
      await jobs.updateOne({ _id: job_id, phase: 'pending' }, [{ $set: { no_agent_since } }])
    },

    /** Writes the progress of an active job. Totals only rise, so updates may arrive in any order. */
    async showProgress(
      job_id: string,
      shown: Partial<Pick<JobDocument, 'progress' | 'outcomes' | 'website_visits' | 'limited_reason' | 'totals'>>,
    ) {
      const { totals: { places = 0, reviews = 0, images = 0 } = {}, ...fields } = shown
      const totals = { 'totals.places': places, 'totals.reviews': reviews, 'totals.images': images }
      await jobs.updateOne(
        { _id: job_id, phase: { $in: [...ACTIVE] } },
        { $max: totals, ...(hasFields(fields) && { $set: fields }) },
      )
    },
  }
}

const hasFields = (fields: object): boolean => Object.keys(fields).length > 0
