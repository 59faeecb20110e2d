import { isFinal, type JobStatus } from '@placefleet/shared/job-status'
import type { Db } from 'mongodb'
import { billedJob } from '../billing/prices/cost.ts'
import type { JobToVerify } from '../billing/verify/verify-job.ts'
import { BY_ID, type Index, using } from '../mongo/indexes.ts'
import { jobCounts } from './counts.ts'
import { type JobDocument, jobsBy, jobsOf } from './documents.ts'
import { ACTIVE, type JobPhase } from './phase.ts'

/** A user's key figures: jobs created since midnight UTC, places of all jobs, jobs running or pending. */
type JobActivity = { jobs_today: number; places_scraped_total: number; active_jobs: number }

/** Returns a user's key figures over their listed jobs. Places of deleted jobs do not count. */
export async function jobActivity(db: Db, user_id: string, now = new Date()): Promise<JobActivity> {
  const midnight = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
  const today = { ...listedOf(user_id), created_at: { $gte: midnight } }
  const [jobs_today, { jobs, places }] = await Promise.all([
    jobsOf(db).countDocuments(today, using(jobsBy.user_created)),
    jobCounts(db, user_id),
  ])
  return { jobs_today, places_scraped_total: places, active_jobs: jobs.pending + jobs.running }
}

const listedOf = (user_id: string) => ({ user_id, listed: true })

/** Returns a user's latest jobs, newest first. */
export function recentJobs(db: Db, user_id: string, limit: number): Promise<JobDocument[]> {
  return jobsOf(db)
    .find(listedOf(user_id), using(jobsBy.user_created))
    .sort({ created_at: -1, _id: -1 })
    .limit(limit)
    .toArray()
}

/** The filter of an operator's list of jobs. */
export type JobChoice = {
  user_id?: string | undefined
  status?: JobStatus | undefined
  skip?: number
  limit: number
}

/** Returns the latest jobs of one user or of all, newest first. */
export function latestJobs(db: Db, { user_id, status, skip = 0, limit }: JobChoice): Promise<JobDocument[]> {
  const chosen = { ...(user_id === undefined ? {} : { user_id }), ...(status === undefined ? {} : { status }) }
  return jobsOf(db)
    .find({ listed: true, ...chosen }, using(indexFor(user_id, status)))
    .sort({ created_at: -1 })
    .skip(skip)
    .limit(limit)
    .toArray()
}

function indexFor(user_id: string | undefined, status: JobStatus | undefined): Index {
  if (user_id === undefined) return status === undefined ? jobsBy.listed_created : jobsBy.listed_status_created
  return status === undefined ? jobsBy.user_created : jobsBy.user_status_created
}

/** The active jobs of all users. Ages are in seconds, by the database's clock. */
export type JobBacklog = {
  pending: number
  running: number
  aborting: number
  oldest?: { job_id: string; status: JobStatus; age: number }
  /** The age of the oldest last sweep among them; absent before the first sweep. */
  swept?: number
  /** How many passed their deadline so long ago that a sweeper should have ended them. */
  late: number
}

/** Sweepers run every 5 s and an aborting job waits 8 s for its agents. */
const LATE_SECONDS = 30

export async function jobBacklog(db: Db): Promise<JobBacklog> {
  const countIf = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } })
  const withStatus = (status: JobStatus) => countIf({ $eq: ['$status', status] })
  const secondsSince = (startDate: string) => ({ $dateDiff: { startDate, endDate: '$$NOW', unit: 'second' } })
  // A missing deadline is less than any number.
  const late = { $gt: [secondsSince('$deadline_at'), LATE_SECONDS] }
  const [found] = await jobsOf(db)
    .aggregate<JobBacklog & { swept: number | null }>(
      [
        // Only active jobs hold a slot.
        { $match: { slot: { $exists: true }, phase: { $in: ACTIVE } } },
        { $sort: { created_at: 1 } },
        {
          $group: {
            _id: null,
            pending: withStatus('pending'),
            running: withStatus('running'),
            aborting: withStatus('aborting'),
            oldest: { $first: { job_id: '$_id', status: '$status', age: secondsSince('$created_at') } },
            swept: { $min: secondsSince('$lease.at') },
            late: countIf(late),
          },
        },
        { $project: { _id: 0 } },
      ],
      using(jobsBy.user_slot),
    )
    .toArray()
  if (!found) return { pending: 0, running: 0, aborting: 0, late: 0 }
  const { swept, ...backlog } = found
  return swept === null ? backlog : { ...backlog, swept }
}

export async function* jobOwners(db: Db): AsyncGenerator<string> {
  for await (const { _id } of jobsOf(db).aggregate<{ _id: string }>([{ $group: { _id: '$user_id' } }])) yield _id
}

/** Returns a user's listed jobs in the form that the ledger verification needs. */
export async function* jobsToVerify(db: Db, user_id: string): AsyncGenerator<JobToVerify> {
  for await (const job of jobsOf(db).find(listedOf(user_id), using(jobsBy.user_created))) {
    const { _id: job_id, ended_at, total_cost } = job
    yield { job_id, ...billedJob(job), final: isFinal(job.status), ended_at, total_cost }
  }
}

/** Returns those of these ids that are listed jobs of a user. */
export async function existingJobs(db: Db, user_id: string, job_ids: string[]): Promise<Set<string>> {
  const filter = { _id: { $in: job_ids }, ...listedOf(user_id) }
  const found = await jobsOf(db)
    .find(filter, { projection: { _id: 1 }, ...BY_ID })
    .toArray()
  return new Set(found.map(({ _id }) => _id))
}

/** Returns whether a job has ended and still has all its places. */
export async function hasItsPlaces(db: Db, job_id: string): Promise<boolean> {
  const withPlaces = { _id: job_id, phase: { $in: ['closing', 'ended'] satisfies JobPhase[] } }
  return (await jobsOf(db).countDocuments(withPlaces)) === 1
}
