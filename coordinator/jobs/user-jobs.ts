import type { JobStatus } from '@placefleet/shared/job-status'
import type { Collection, Filter, Sort } from 'mongodb'
import { using } from '../mongo/indexes.ts'
import { HIDDEN_INDEX, type JobDocument, LIST_INDEXES, MONITOR_INDEX } from './documents.ts'
import type { JobCount } from './job-count.ts'
import { IN_CREATION, WITH_PLACES } from './phase.ts'

export type JobPage = {
  page: number
  limit: number
  sort: keyof typeof LIST_INDEXES
  order: 'asc' | 'desc'
  search: string
  status?: JobStatus | undefined
}

/** Which jobs: those of one monitor, and those whose name or keyword holds a text. */
type JobChoice = { monitor_id?: string | undefined; search: string }

/** Returns the reads for users. Each user sees only their own listed jobs. */
export function userJobs(jobs: Collection<JobDocument>, count: JobCount) {
  return {
    // The query names only the id, and the rest is checked here: planning a query with more conditions costs more than
    // running it.
    async findListed(user_id: string, job_id: string): Promise<JobDocument | undefined> {
      const job = await jobs.findOne({ _id: job_id })
      return job?.user_id === user_id && job.listed ? job : undefined
    },

    findSome: (user_id: string, job_ids: string[]): Promise<JobDocument[]> =>
      jobs.find({ _id: { $in: job_ids }, user_id, listed: true }, using('_id_')).toArray(),

    /** Returns the listed jobs with these ids, of any user. */
    findListedOf: (job_ids: string[]): Promise<JobDocument[]> =>
      jobs.find({ _id: { $in: job_ids }, listed: true }, using('_id_')).toArray(),

    /** Returns all listed jobs of a choice that have ended and did not fail, oldest first. */
    withResults: (user_id: string, { monitor_id, search }: JobChoice) =>
      jobs
        .find(
          {
            ...{ user_id, listed: true, status: { $in: ['completed', 'cancelled'] } },
            ...(monitor_id === undefined ? {} : { 'monitor.id': monitor_id }),
            ...found(search),
          },
          using(monitor_id === undefined ? LIST_INDEXES.created_at : MONITOR_INDEX),
        )
        .sort({ created_at: 1, _id: 1 })
        .project<Pick<JobDocument, '_id' | 'totals'>>({ totals: 1 })
        .toArray(),

    /** Returns the user's deleted jobs that may still have places. */
    hidden: async (user_id: string): Promise<string[]> => {
      const found = await jobs
        .find(
          { user_id, listed: false, phase: { $in: [...WITH_PLACES] } },
          { projection: { _id: 1 }, ...using(HIDDEN_INDEX) },
        )
        .toArray()
      return found.map((job) => job._id)
    },

    /** Whether a job of a user was ever created. A deleted one counts for a day. */
    hadAny: async (user_id: string): Promise<boolean> =>
      (await jobs.findOne({ user_id, phase: { $nin: [...IN_CREATION] } }, { projection: { _id: 1 } })) !== null,

    /** Returns one page of a user's jobs, and how many jobs are on all pages. */
    page: (user_id: string, page: JobPage) => pageOf(jobs, count, user_id, page),
  }
}

// Each sort order has its own index. To name it saves the server the choice. Jobs of one status are in the order of their
// creation there. Jobs are counted only when the page does not show their number.
async function pageOf(jobs: Collection<JobDocument>, count: JobCount, user_id: string, asked: JobPage) {
  const { page, limit, sort, order, search, status } = asked
  const filter: Filter<JobDocument> = { user_id, listed: true, ...(status ? { status } : {}), ...found(search) }
  const direction = order === 'asc' ? 1 : -1
  const index = LIST_INDEXES[status && sort === 'created_at' ? 'status' : sort]
  const skip = (page - 1) * limit
  const cursor = jobs.find(filter, using(index)).sort(orderOf(sort, direction))
  const shown = await cursor.skip(skip).limit(limit).toArray()
  const isLast = shown.length < limit && (shown.length > 0 || page === 1)
  if (isLast) return { jobs: shown, total: skip + shown.length }
  const total =
    status || search !== ''
      ? await jobs.countDocuments(filter, using(status ? LIST_INDEXES.status : index))
      : await count.of(user_id)
  return { jobs: shown, total }
}

const orderOf = (sort: JobPage['sort'], direction: 1 | -1): Sort =>
  sort === 'status'
    ? { status: direction, created_at: direction, _id: direction }
    : { [sort]: direction, _id: direction }

/** Returns the filter of the jobs whose name or keyword holds a text, in any letter case. */
function found(search: string): Filter<JobDocument> {
  const pattern = { $regex: search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' }
  return search === '' ? {} : { $or: [{ name: pattern }, { 'data.keywords': pattern }] }
}
