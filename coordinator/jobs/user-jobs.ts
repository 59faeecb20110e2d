import type { JobStatus } from '@placefleet/shared/job-status'
import type { Collection, Filter, Sort } from 'mongodb'
import { type JobDocument, LIST_INDEXES, UNPURGED_INDEX } from './documents.ts'

export type JobPage = {
  page: number
  limit: number
  sort: keyof typeof LIST_INDEXES
  order: 'asc' | 'desc'
  search: string
  status?: JobStatus | undefined
}

/** What users see of their jobs: listed ones only, and each user's own. */
export function userJobs(jobs: Collection<JobDocument>) {
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
