import { JOB_STATUSES, type JobStatus } from '@placefleet/shared/job-status'
import { literalPattern } from '@placefleet/shared/text'
import type { Db, Document, Filter } from 'mongodb'
import { BY_ID, type Index, using } from '../mongo/indexes.ts'
import { jobCounts } from './counts.ts'
import { BY_ORDER, type JobDocument, jobsBy, jobsOf } from './documents.ts'
import { IN_CREATION, WITH_PLACES } from './phase.ts'

export type JobPage = ListOrder & {
  page: number
  limit: number
  search: string
  status?: JobStatus | undefined
  /** The jobs behind this one instead of a page. */
  after?: JobDocument | undefined
}

/** Which jobs: those of one monitor, those whose name or keyword holds a text, and those that had ended at a time. */
export type JobChoice = { monitor_id?: string | undefined; search: string; ended_until: Date }

/**
 * A search looks through so many jobs of a user, the newest ones. No index finds a part of a text in any letter case,
 * so without this bound each page of a search would read all jobs.
 */
export const MOST_SEARCHED = 10_000

/** Jobs in one read of a download. A cursor would be lost while a slow client reads the places of its jobs. */
const BATCH = 1_000

// The reads for users. Each user sees only their own listed jobs.

/**
 * The query names only the id, and the rest is checked here: planning a query with more conditions costs more than
 * running it.
 */
export async function findListed(db: Db, user_id: string, job_id: string): Promise<JobDocument | undefined> {
  const job = await jobsOf(db).findOne({ _id: job_id })
  return job?.user_id === user_id && job.listed ? job : undefined
}

export const findListedJobs = (db: Db, user_id: string, job_ids: string[]): Promise<JobDocument[]> =>
  jobsOf(db)
    .find({ _id: { $in: job_ids }, user_id, listed: true }, BY_ID)
    .toArray()

/** Returns the listed jobs with these ids, of any user. */
export const findListedOfAnyUser = (db: Db, job_ids: string[]): Promise<JobDocument[]> =>
  jobsOf(db)
    .find({ _id: { $in: job_ids }, listed: true }, BY_ID)
    .toArray()

/** Returns the user's deleted jobs that may still have places. */
export async function hiddenJobs(db: Db, user_id: string): Promise<string[]> {
  const hidden = { user_id, listed: false, phase: { $in: [...WITH_PLACES] } }
  const jobs = await jobsOf(db)
    .find(hidden, { projection: { _id: 1 }, ...using(jobsBy.user_hidden) })
    .toArray()
  return jobs.map(({ _id }) => _id)
}

/** Whether a job of a user was ever created. A deleted one counts for a day. */
export const hadAnyJob = async (db: Db, user_id: string): Promise<boolean> =>
  (await jobsOf(db).findOne({ user_id, phase: { $nin: [...IN_CREATION] } }, { projection: { _id: 1 } })) !== null

/** Returns a user's job, also a deleted one as long as its document is there. */
export const findOwn = async (db: Db, user_id: string, job_id: string): Promise<JobDocument | undefined> =>
  (await jobsOf(db).findOne({ _id: job_id, user_id, phase: { $nin: [...IN_CREATION] } }, BY_ID)) ?? undefined

/** Returns one page of a user's jobs, how many jobs are on all pages, and whether others follow. */
export async function pageOfUser(db: Db, user_id: string, request: JobPage) {
  const { page, limit, search, status, after } = request
  if (search !== '') return searchPage(db, user_id, request)
  const { filter, index } = listOf(user_id, request)
  const [shown, total] = await Promise.all([
    jobsOf(db)
      .find(after ? { $and: [filter, following(after, request)] } : filter, using(index))
      .sort(sortOf(request))
      .skip((page - 1) * limit)
      .limit(limit + 1)
      .toArray(),
    totalOf(db, user_id, status),
  ])
  return { jobs: shown.slice(0, limit), total, has_more: shown.length > limit }
}

/** Returns the filter of a list without a search, and the index that holds the list in its order. */
function listOf(user_id: string, { sort, status }: JobPage): { filter: Filter<JobDocument>; index: Index } {
  const listed = { user_id, listed: true }
  if (status === undefined && sort === 'created_at') return { filter: listed, index: jobsBy.user_created }
  // All statuses are named too: so the server merges them from an index that begins with the status.
  const filter = { ...listed, status: status ?? { $in: [...JOB_STATUSES] } }
  return { filter, index: BY_ORDER[sort === 'status' ? 'created_at' : sort] }
}

async function totalOf(db: Db, user_id: string, status: JobStatus | undefined): Promise<number> {
  const { jobs } = await jobCounts(db, user_id)
  return status ? jobs[status] : Object.values(jobs).reduce((sum, count) => sum + count, 0)
}

async function searchPage(db: Db, user_id: string, request: JobPage) {
  const { page, limit, search, status, after } = request
  const behind = after ? [{ $match: following(after, request) }] : []
  const stages = [
    { $match: { user_id, listed: true, ...(status && { status }) } },
    { $sort: { created_at: -1, _id: -1 } },
    { $limit: MOST_SEARCHED },
    { $match: found(search) },
    { $project: { created_at: 1, updated_at: 1, name: 1, status: 1 } },
    { $sort: sortOf(request) },
    {
      $facet: { shown: [...behind, { $skip: (page - 1) * limit }, { $limit: limit + 1 }], all: [{ $count: 'total' }] },
    },
  ]
  type Matches = { shown: { _id: string }[]; all: { total: number }[] }
  const index = using(status ? jobsBy.user_status_created : jobsBy.user_created)
  const [matches] = await jobsOf(db).aggregate<Matches>(stages, index).toArray()
  const ids = (matches?.shown ?? []).map(({ _id }) => _id)
  const byId = new Map((await findListedJobs(db, user_id, ids)).map((job) => [job._id, job]))
  const shown = ids.slice(0, limit).flatMap((id) => byId.get(id) ?? [])
  return { jobs: shown, total: matches?.all[0]?.total ?? 0, has_more: ids.length > limit }
}

/** Streams the listed jobs of a choice that did not fail, oldest first. */
export async function* jobsWithResults(db: Db, user_id: string, { monitor_id, search, ended_until }: JobChoice) {
  const filter = {
    user_id,
    listed: true,
    status: { $in: ['completed', 'cancelled'] },
    ended_at: { $lte: ended_until },
    ...(monitor_id !== undefined && { 'monitor.id': monitor_id }),
  } satisfies Filter<JobDocument>
  const index = using(monitor_id === undefined ? jobsBy.user_created : jobsBy.monitor_created)
  let behind: Document[] = []
  for (;;) {
    const batch = await jobsOf(db)
      .find({ ...filter, $and: [found(search), ...behind] }, index)
      .sort({ created_at: 1, _id: 1 })
      .limit(BATCH)
      .project<Pick<JobDocument, '_id' | 'totals' | 'created_at'>>({ totals: 1, created_at: 1 })
      .toArray()
    yield* batch
    const last = batch.at(-1)
    if (!last || batch.length < BATCH) return
    const { _id, created_at } = last
    const ties = { $or: [{ created_at: { $gt: created_at } }, { _id: { $gt: _id } }] }
    behind = [{ created_at: { $gte: created_at } }, ties]
  }
}

/** Returns the filter of the jobs whose name or keyword holds a text, in any letter case. */
function found(search: string): Filter<JobDocument> {
  const pattern = { $regex: literalPattern(search), $options: 'i' }
  return search === '' ? {} : { $or: [{ name: pattern }, { 'data.keywords': pattern }] }
}

/** The order of a list of jobs. */
type ListOrder = { sort: keyof typeof BY_ORDER | 'status'; order: 'asc' | 'desc' }

/** Returns the sort of a list: ties are in the order of creation among equal statuses, else of the ids. */
export function sortOf({ sort, order }: ListOrder): Record<string, 1 | -1> {
  const direction = order === 'asc' ? 1 : -1
  return Object.fromEntries(fieldsOf(sort).map((field) => [field, direction]))
}

/** Returns the filter of the jobs that follow a job in a list. */
export function following(job: JobDocument, { sort, order }: ListOrder): Filter<JobDocument> {
  const operator = order === 'asc' ? '$gt' : '$lt'
  const fields = fieldsOf(sort)
  const [first] = fields
  const ties = fields.map((field, index) => {
    const equal = fields.slice(0, index).map((earlier) => [earlier, job[earlier]])
    return { ...Object.fromEntries(equal), [field]: { [operator]: job[field] } }
  })
  // The first condition follows from the others. It bounds the index.
  return { $and: [{ [first]: { [`${operator}e`]: job[first] } }, { $or: ties }] }
}

type Field = ListOrder['sort'] | '_id'

const fieldsOf = (sort: ListOrder['sort']): [Field, ...Field[]] =>
  sort === 'status' ? ['status', 'created_at', '_id'] : [sort, '_id']
