import { randomUUID } from 'node:crypto'
import { JOB_STATUSES, type JobStatus } from '@placefleet/shared/job-status'
import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { BY_ID, using } from '../mongo/indexes.ts'
import { tailRead } from '../mongo/locks.ts'
import { type JobDocument, jobsBy, jobsOf } from './documents.ts'
import { AFTER_END } from './phase.ts'

// A user's list and key figures show how many jobs there are and how many places these have. Ended jobs may be
// millions, so their sum is stored, one document for each user. Each job says by its field `uncounted` whether the sum
// lacks it. One write adds jobs to the sum and names them in `recent`; then their fields are removed. Whoever finds a
// field of a job in `recent` only removes it, so a crash between the two writes neither loses nor doubles a job.

/** How many listed jobs a user has in each status, and the places of all. */
type JobCounts = { jobs: Record<JobStatus, number>; places: number }

type CountsDocument = JobCounts & {
  /** The user. */
  _id: string
  /** Changes with each write, so that a sum is only written over the one that it was made of. */
  version: string
  /** The latest changes of the sum. */
  recent: string[]
}

/** A job that the sum lacks, or one that it has no longer to have. */
type Uncounted = Pick<JobDocument, '_id' | 'status' | 'totals'> & { uncounted: 1 | -1; ended: boolean }

/** The most jobs that one write adds. */
const AT_ONCE = 32

const SUMS = 'job_counts'

const sumsOf = (db: Db): Collection<CountsDocument> => collection(db, SUMS)

/** Returns how many listed jobs a user has, from the stored sum and the few jobs that it lacks. */
export async function jobCounts(db: Db, user_id: string): Promise<JobCounts> {
  // The sum is read after the jobs: what it got in the meantime is in `recent`.
  const sumOfUser = { $unionWith: { coll: SUMS, pipeline: [{ $match: { _id: user_id } }] } }
  const options = { ...using(jobsBy.user_uncounted), ...tailRead(db) }
  const stages = [...uncountedOf(user_id), sumOfUser]
  const documents = await jobsOf(db).aggregate<Uncounted | CountsDocument>(stages, options).toArray()
  const sum = documents.find((document) => 'recent' in document)
  if (!sum) {
    await createSum(db, user_id)
    return jobCounts(db, user_id)
  }
  const uncounted = documents.filter((document) => 'uncounted' in document)
  const lacking = uncounted.filter((job) => !sum.recent.includes(changeOf(job)))
  return sumWith(sum, lacking)
}

/** Adds the ended jobs of a user to the stored sum, and takes the deleted ones away. Safe to repeat. */
export async function countEndedJobs(db: Db, user_id: string): Promise<void> {
  for (;;) {
    const { version, recent, ...sum } = (await findSum(db, user_id)) ?? (await createSum(db, user_id))
    const lacking = await jobsOf(db).aggregate<Uncounted>(uncountedOf(user_id), using(jobsBy.user_uncounted)).toArray()
    const ended = lacking.filter(({ ended }) => ended)
    const byCounted = Map.groupBy(ended, (job) => recent.includes(changeOf(job)))
    await unmark(db, byCounted.get(true) ?? [])
    const left = byCounted.get(false) ?? []
    const added = left.slice(0, AT_ONCE)
    if (added.length === 0) return
    const changes = { recent: [...added.map(changeOf), ...recent].slice(0, 2 * AT_ONCE), version: randomUUID() }
    const { matchedCount } = await sumsOf(db).updateOne(
      { _id: user_id, version },
      { $set: { ...sumWith(sum, added), ...changes } },
    )
    if (matchedCount === 0) continue // another coordinator was faster
    await unmark(db, added)
    if (added.length === left.length) return
  }
}

const changeOf = ({ _id, uncounted }: Uncounted) => `${uncounted}:${_id}`

function sumWith({ jobs, places }: JobCounts, changes: readonly Uncounted[]): JobCounts {
  const sum = { jobs: { ...jobs }, places }
  for (const { status, totals, uncounted } of changes) {
    sum.jobs[status] += uncounted
    sum.places += uncounted * totals.places
  }
  return sum
}

const uncountedOf = (user_id: string) => [
  { $match: { user_id, uncounted: { $exists: true } } },
  { $project: { status: 1, totals: 1, uncounted: 1, ended: { $in: ['$phase', AFTER_END] } } },
]

/** Removes the field of counted jobs. */
async function unmark(db: Db, counted: readonly Uncounted[]): Promise<void> {
  for (const uncounted of [1, -1] as const) {
    const ids = counted.filter((job) => job.uncounted === uncounted).map(({ _id }) => _id)
    if (ids.length === 0) continue
    await jobsOf(db).updateMany({ _id: { $in: ids }, uncounted }, { $unset: { uncounted: '' } }, BY_ID)
  }
}

const findSum = (db: Db, user_id: string): Promise<CountsDocument | null> =>
  sumsOf(db).findOne({ _id: user_id }, tailRead(db))

/** Creates and returns the sum of a user that has none: the user is new, or comes from a backup. */
async function createSum(db: Db, user_id: string): Promise<CountsDocument> {
  const sum = { _id: user_id, version: randomUUID(), recent: [], ...(await firstSum(db, user_id)) }
  try {
    await sumsOf(db).insertOne(sum)
    return sum
  } catch (error) {
    const others = isDuplicateKey(error) && (await findSum(db, user_id))
    if (!others) throw error
    return others
  }
}

/** Sums up the jobs that have no field, and the deleted ones that are still to be taken away. */
const firstSum = (db: Db, user_id: string): Promise<JobCounts> =>
  summedUp(db, user_id, { $or: [{ listed: true, uncounted: { $exists: false } }, { uncounted: -1 }] })

async function summedUp(db: Db, user_id: string, filter: object): Promise<JobCounts> {
  type Group = { _id: JobStatus; jobs: number; places: number }
  const group = { _id: '$status', jobs: { $sum: 1 }, places: { $sum: '$totals.places' } }
  const sum = { jobs: { pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0, aborting: 0 }, places: 0 }
  const stages = [{ $match: { user_id, ...filter } }, { $group: group }]
  for await (const { _id, jobs, places } of jobsOf(db).aggregate<Group>(stages, using(jobsBy.user_created))) {
    sum.jobs[_id] = jobs
    sum.places += places
  }
  return sum
}

/** Returns what the counts of a user's jobs have too many or too few, in words. */
export async function jobCountFaults(db: Db, user_id: string): Promise<string[]> {
  const [counted, there] = [await jobCounts(db, user_id), await summedUp(db, user_id, { listed: true })]
  const drifts: [string, number][] = [
    ...JOB_STATUSES.map((status): [string, number] => [`${status} jobs`, counted.jobs[status] - there.jobs[status]]),
    ['places', counted.places - there.places],
  ]
  return drifts
    .filter(([, drift]) => drift !== 0)
    .map(([what, drift]) => `counts ${Math.abs(drift)} ${what} too ${drift > 0 ? 'many' : 'few'}`)
}

/** Forgets the stored sums of all users, so that each is made again when it is next needed. */
export async function forgetJobCounts(db: Db): Promise<number> {
  const { deletedCount } = await sumsOf(db).deleteMany({})
  return deletedCount
}
