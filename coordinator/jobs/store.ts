import { canMove, isFinal, type JobStatus } from '@placefleet/shared/job-status'
import type { Collection, Document, Filter, Sort } from 'mongodb'
import type { MicroCredits } from '../billing/cost.ts'
import { ago, fromNow } from '../mongo/time.ts'
import {
  ABORTING_INDEX,
  CREATED_INDEX,
  DEADLINE_INDEX,
  type JobDocument,
  type JobDraft,
  LIST_INDEXES,
  UNPURGED_INDEX,
} from './documents.ts'

/** How long a key stands for the job it created (SPEC, "Idempotency"). */
const KEY_WINDOW_HOURS = 24

/** How long an aborting job waits for its agents to stop before it ends without them. */
const ABORT_TIMEOUT_SECONDS = 8

/** How long a creation may take before it counts as dead (DECISIONS, "Idempotency"). */
const CREATION_SECONDS = 60

/** How long a sweeper leaves a job alone after it looked at it. */
const SWEEP_SECONDS = 5

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

export type JobPage = {
  page: number
  limit: number
  sort: keyof typeof LIST_INDEXES
  order: 'asc' | 'desc'
  search: string
  status?: JobStatus | undefined
}

/** The jobs of a database. Reads on behalf of a user take the user first and see listed jobs only. */
export function createJobStore(jobs: Collection<JobDocument>) {
  return {
    ...creationQueries(jobs),
    ...keyQueries(jobs),
    ...lifeQueries(jobs),
    ...endQueries(jobs),
    ...sweepQueries(jobs),
    ...userQueries(jobs),
  }
}

export type JobStore = ReturnType<typeof createJobStore>

function creationQueries(jobs: Collection<JobDocument>) {
  return {
    /** Inserts a job at the database's time. Throws the driver's error when its key or its slot is taken. */
    async insert(draft: JobDraft): Promise<void> {
      const key = draft.idempotency ? { 'idempotency.expires_at': fromNow(KEY_WINDOW_HOURS, 'hour') } : {}
      const due_at = fromNow(CREATION_SECONDS + 1, 'second')
      const stamps = { created_at: '$$NOW', updated_at: '$$NOW', due_at, ...key }
      const pipeline = [{ $replaceWith: { $literal: draft } }, { $set: stamps }]
      await jobs.updateOne({ _id: draft._id }, pipeline, { upsert: true })
    },

    /** The slots that a user's active jobs hold. */
    takenSlots: (user_id: string): Promise<unknown[]> => jobs.distinct('slot', { user_id, slot: { $exists: true } }),

    /** Lists a created job, so that its user sees it. False: the creation took too long and was rolled back. */
    async list(job_id: string, held: MicroCredits): Promise<boolean> {
      const inCreation = { _id: job_id, given_up: { $exists: false } }
      const listed = [{ $set: { held, listed: true, due_at: fromNow(SWEEP_SECONDS, 'second') } }]
      return (await jobs.updateOne(inCreation, listed)).matchedCount === 1
    },

    /** Keeps a job from ever being listed. False: it is listed, or gone already. */
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

    /** Whether a job's creation died half way. */
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
   * Moves a job from one status to another, with the changes that belong to it. Undefined: it has another status by now.
   * @throws Error when no job may make this move.
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

    /** Records the progress of an active job. Totals only rise, so updates may arrive in any order. */
    async showProgress(
      job_id: string,
      shown: Partial<Pick<JobDocument, 'progress' | 'outcomes' | 'website_visits' | 'totals' | 'spent'>>,
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

/** What follows a job's end: it is closed, or hidden and purged. */
function endQueries(jobs: Collection<JobDocument>) {
  return {
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

function sweepQueries(jobs: Collection<JobDocument>) {
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

    /** Ended jobs that were created more than this many days ago, oldest first. */
    olderThan: async (days: number, limit: number): Promise<JobDocument[]> => {
      const isOld = { $expr: { $lt: ['$created_at', ago(days * 24, 'hour')] } }
      const old = { listed: true, closed_at: { $exists: true }, ...isOld }
      return jobs.find(old, { hint: CREATED_INDEX }).sort({ created_at: 1 }).limit(limit).toArray()
    },
  }
}

function userQueries(jobs: Collection<JobDocument>) {
  return {
    // By its id alone, and checked here: with more conditions the server plans the query, which costs more than it.
    async findListed(user_id: string, job_id: string): Promise<JobDocument | undefined> {
      const job = await jobs.findOne({ _id: job_id })
      return job?.user_id === user_id && job.listed ? job : undefined
    },

    findSome: (user_id: string, job_ids: string[]): Promise<JobDocument[]> =>
      jobs.find({ _id: { $in: job_ids }, user_id, listed: true }, { hint: '_id_' }).toArray(),

    /** The listed jobs of these ids, of any user. */
    findListedOf: (job_ids: string[]): Promise<JobDocument[]> =>
      jobs.find({ _id: { $in: job_ids }, listed: true }, { hint: '_id_' }).toArray(),

    /** The user's deleted jobs whose places are not removed yet. */
    hidden: async (user_id: string): Promise<string[]> => {
      const found = await jobs
        .find({ user_id, unpurged: true }, { projection: { _id: 1 }, hint: UNPURGED_INDEX })
        .toArray()
      return found.map((job) => job._id)
    },

    /** Whether the database has any job of a user, deleted ones included. */
    hadAny: async (user_id: string): Promise<boolean> =>
      (await jobs.findOne({ user_id }, { projection: { _id: 1 } })) !== null,

    /** One page of a user's jobs, with their number when the page alone does not tell it. */
    page: (user_id: string, page: JobPage) => pageOf(jobs, user_id, page),
  }
}

// Each order has an index of its own, and the hint spares the server the choice.
async function pageOf(jobs: Collection<JobDocument>, user_id: string, asked: JobPage) {
  const { page, limit, sort, order, search, status } = asked
  const pattern = { $regex: search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' }
  const found = search === '' ? {} : { $or: [{ name: pattern }, { 'data.keywords': pattern }] }
  const filter: Filter<JobDocument> = { user_id, listed: true, ...(status ? { status } : {}), ...found }
  const direction = order === 'asc' ? 1 : -1
  const hint = LIST_INDEXES[sort]
  const skip = (page - 1) * limit
  const cursor = jobs.find(filter, { hint }).sort({ [sort]: direction, _id: direction } satisfies Sort)
  const shown = await cursor.skip(skip).limit(limit).toArray()
  const isLast = shown.length < limit && (shown.length > 0 || page === 1)
  const counted = () => jobs.countDocuments(filter, { hint: status ? LIST_INDEXES.status : hint })
  return { jobs: shown, total: isLast ? skip + shown.length : await counted() }
}

const hasFields = (fields: object): boolean => Object.keys(fields).length > 0
