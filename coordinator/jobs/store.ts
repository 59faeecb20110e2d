import { canMove, isFinal, JOB_STATUSES, type JobStatus } from '@placefleet/shared/job-status'
import type { Collection, Document, Filter, Sort } from 'mongodb'
import type { MicroCredits } from '../billing/money.ts'
import { ago, fromNow } from '../mongo/clock.ts'
import type { ResultTotals } from '../results/documents.ts'
import type { JobDocument, JobDraft } from './documents.ts'

/** How long an aborting job waits for its agents to stop before it ends without them. */
const ABORT_TIMEOUT_SECONDS = 8

/** How long a key stands for the job it created (SPEC, "Idempotency"). */
const KEY_WINDOW_HOURS = 24

/** How long a creation may take before it is taken for dead (DECISIONS, "Idempotency"). */
const CREATION_SECONDS = 60

const FINAL_STATUSES = JOB_STATUSES.filter(isFinal)

const STALLED_CREATION = {
  listed: false,
  deleted_at: { $exists: false },
  $expr: { $lt: ['$created_at', ago(CREATION_SECONDS, 'second')] },
}

const ABORT_TIMED_OUT = { $expr: { $lt: ['$aborted_at', ago(ABORT_TIMEOUT_SECONDS, 'second')] } }

export type JobPage = {
  page: number
  limit: number
  sort: 'created_at' | 'name' | 'status' | 'updated_at'
  order: 'asc' | 'desc'
  search: string
}

/** The jobs of a database. Reads on behalf of a user take the user first and see listed jobs only. */
export function createJobStore(jobs: Collection<JobDocument>) {
  const patched = async (filter: Filter<JobDocument>, update: Document[]): Promise<JobDocument | undefined> =>
    (await jobs.findOneAndUpdate(filter, update, { returnDocument: 'after' })) ?? undefined

  return {
    /** Inserts a job at the database's time. Throws the driver's error when its key or its slot is taken. */
    async insert(draft: JobDraft): Promise<void> {
      const key = draft.idempotency ? { 'idempotency.expires_at': fromNow(KEY_WINDOW_HOURS, 'hour') } : {}
      const stamps = { created_at: '$$NOW', updated_at: '$$NOW', ...key }
      const pipeline = [{ $replaceWith: { $literal: draft } }, { $set: stamps }]
      await jobs.updateOne({ _id: draft._id }, pipeline, { upsert: true })
    },

    find: async (job_id: string): Promise<JobDocument | undefined> =>
      (await jobs.findOne({ _id: job_id })) ?? undefined,

    /** The job that a user's `Idempotency-Key` created, and whether the key's time is over. */
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

    /** The slots that a user's active jobs hold. */
    takenSlots: (user_id: string): Promise<unknown[]> => jobs.distinct('slot', { user_id, slot: { $exists: true } }),

    // By its id alone, and then looked at: with more conditions the server plans the query, which takes longer than it.
    async findListed(user_id: string, job_id: string): Promise<JobDocument | undefined> {
      const job = await jobs.findOne({ _id: job_id })
      return job?.user_id === user_id && job.listed ? job : undefined
    },

    findSome: (user_id: string, job_ids: string[]): Promise<JobDocument[]> =>
      jobs.find({ _id: { $in: job_ids }, user_id, listed: true }).toArray(),

    /** The jobs of these ids that are listed, whoever they belong to. */
    findListedOf: (job_ids: string[]): Promise<JobDocument[]> =>
      jobs.find({ _id: { $in: job_ids }, listed: true }).toArray(),

    page: (user_id: string, page: JobPage) => pageOf(jobs, user_id, page),

    /** The user's deleted jobs whose places are not removed yet. */
    hidden: (user_id: string): Promise<string[]> =>
      jobs.distinct('_id', { user_id, listed: false, deleted_at: { $exists: true }, purged_at: { $exists: false } }),

    /**
     * Moves a job from one status to another with what goes with it. Undefined: it is no longer in the first.
     * @throws Error when the move is not one of a job's life.
     */
    move(job_id: string, from: JobStatus, to: JobStatus, changes: Document = {}): Promise<JobDocument | undefined> {
      if (!canMove(from, to)) throw new Error(`a job never goes from ${from} to ${to}`)
      const ended = isFinal(to) ? [{ $set: { ended_at: '$$NOW' } }, { $unset: 'slot' }] : []
      return patched({ _id: job_id, status: from }, [
        { $set: { status: to, updated_at: '$$NOW', ...changes } },
        ...ended,
      ])
    },

    /** Ends a job's creation: from now on it can be seen. False: it took so long that it was undone. */
    async list(job_id: string, held: MicroCredits): Promise<boolean> {
      const inCreation = { _id: job_id, given_up: { $exists: false } }
      return (await jobs.updateOne(inCreation, { $set: { held, listed: true } })).matchedCount === 1
    },

    /** Keeps a job from ever being listed. False: it is listed, or gone already. */
    abandon: async (job_id: string): Promise<boolean> =>
      (await jobs.updateOne({ _id: job_id, listed: false }, { $set: { given_up: true } })).matchedCount === 1,

    /** Starts a pending job: its time begins to run. */
    start(job_id: string): Promise<JobDocument | undefined> {
      const deadline_at = fromNow('$data.max_time', 'second')
      return this.move(job_id, 'pending', 'running', { started_at: '$$NOW', deadline_at })
    },

    /** Shows what is stored. The numbers only rise, so it does not matter who is last. */
    async raiseTotals(job_id: string, totals: ResultTotals, spent: boolean): Promise<void> {
      const { places, reviews, images } = totals
      await jobs.updateOne(
        { _id: job_id },
        {
          $max: { 'totals.places': places, 'totals.reviews': reviews, 'totals.images': images },
          ...(spent ? { $set: { spent: true } } : {}),
        },
      )
    },

    async setProgress(
      job_id: string,
      progress: JobDocument['progress'],
      counts: Pick<JobDocument, 'outcomes' | 'website_visits'>,
    ): Promise<void> {
      const active = { $in: ['pending', 'running', 'aborting'] as JobStatus[] }
      await jobs.updateOne({ _id: job_id, status: active }, { $set: { progress, ...counts } })
    },

    async set(job_id: string, fields: Partial<JobDocument>): Promise<void> {
      await jobs.updateOne({ _id: job_id }, { $set: fields })
    },

    remove: async (job_id: string): Promise<void> => {
      await jobs.deleteOne({ _id: job_id, listed: false })
    },

    /** Whether an aborting job has waited for its agents long enough, by the database's clock. */
    abortTimedOut: async (job_id: string): Promise<boolean> =>
      (await jobs.countDocuments({ ...ABORT_TIMED_OUT, _id: job_id })) > 0,

    /** The aborting jobs that have waited for their agents long enough. */
    abortTimeouts: (): Promise<string[]> => idsOf(jobs, { ...ABORT_TIMED_OUT, status: 'aborting' }),

    /** The running jobs whose time is up. */
    pastDeadline: (): Promise<string[]> =>
      idsOf(jobs, { status: 'running', $expr: { $lt: ['$deadline_at', '$$NOW'] } }),

    /** Jobs in one of these states, those first that no sweeper looked at for longest; the look is recorded. */
    async leastRecentlySwept(statuses: JobStatus[], limit: number): Promise<string[]> {
      const created = { $or: [{ listed: true }, { deleted_at: { $exists: true } }] }
      const found = await jobs
        .find({ status: { $in: statuses }, ...created }, { projection: { _id: 1 } })
        .sort({ swept_at: 1 })
        .limit(limit)
        .toArray()
      const job_ids = found.map((job) => job._id)
      await jobs.updateMany({ _id: { $in: job_ids } }, [{ $set: { swept_at: '$$NOW' } }])
      return job_ids
    },

    notClosed: (limit: number): Promise<JobDocument[]> =>
      jobs
        .find({ status: { $in: FINAL_STATUSES }, closed_at: { $exists: false } })
        .limit(limit)
        .toArray(),

    /** Deleted jobs that have ended and whose places are still there. One that is being cancelled must end first. */
    notPurged: (limit: number): Promise<JobDocument[]> =>
      jobs
        .find({
          status: { $in: FINAL_STATUSES },
          listed: false,
          deleted_at: { $exists: true },
          purged_at: { $exists: false },
        })
        .limit(limit)
        .toArray(),

    /** Jobs whose creation died half way. */
    stalledCreations: (limit: number): Promise<JobDocument[]> => jobs.find(STALLED_CREATION).limit(limit).toArray(),

    /** Whether a job's creation died half way. */
    isStalledCreation: async (job_id: string): Promise<boolean> =>
      (await jobs.countDocuments({ ...STALLED_CREATION, _id: job_id })) > 0,
  }
}

export type JobStore = ReturnType<typeof createJobStore>

/** The ids of some jobs. (`distinct` would not do: the server knows no `$$NOW` there.) */
async function idsOf(jobs: Collection<JobDocument>, filter: Filter<JobDocument>): Promise<string[]> {
  const found = await jobs.find(filter, { projection: { _id: 1 } }).toArray()
  return found.map((job) => job._id)
}

async function pageOf(jobs: Collection<JobDocument>, user_id: string, page: JobPage) {
  const pattern = { $regex: page.search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' }
  const search = page.search === '' ? {} : { $or: [{ name: pattern }, { 'data.keywords': pattern }] }
  const filter: Filter<JobDocument> = { user_id, listed: true, ...search }
  const direction = page.order === 'asc' ? 1 : -1
  const sort: Sort = { [page.sort]: direction, _id: direction }
  const [found, total] = await Promise.all([
    jobs
      .find(filter)
      .sort(sort)
      .skip((page.page - 1) * page.limit)
      .limit(page.limit)
      .toArray(),
    jobs.countDocuments(filter),
  ])
  return { jobs: found, total }
}
