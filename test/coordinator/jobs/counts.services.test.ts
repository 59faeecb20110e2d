import { countEndedJobs, forgetJobCounts, jobCountFaults, jobCounts } from '@placefleet/coordinator/jobs/counts'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { hideJob } from '@placefleet/coordinator/jobs/phase-moves'
import type { Document } from 'mongodb'
import { expect, test } from 'vitest'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const jobs = jobsOf(db)
const sums = db.collection<{ _id: string; places: number }>('job_counts')
const count = (user_id: string) => countEndedJobs(db, user_id)
const NONE = { pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0, aborting: 0 }
let users = 0

/** A user with jobs that have just ended, each with five places. */
async function userWith(ended: number, changes: Partial<JobDocument> = {}): Promise<string> {
  const user_id = `user-${++users}`
  const totals = { places: 5, reviews: 0, images: 0 }
  const made = Array.from({ length: ended }, () => sampleJob(user_id, { status: 'completed', totals, ...changes }))
  await jobs.insertMany(made)
  return user_id
}

const marked = (user_id: string) => jobs.countDocuments({ user_id, uncounted: { $exists: true } })

test.each([1, 32, 33, 100])('%i jobs that ended are counted once, by several processes at once', async (ended) => {
  const user_id = await userWith(ended)
  await jobs.insertOne(sampleJob(user_id, { status: 'running', totals: { places: 2, reviews: 0, images: 0 } }))
  const expected = { jobs: { ...NONE, completed: ended, running: 1 }, places: 5 * ended + 2 }
  expect(await jobCounts(db, user_id)).toEqual(expected)
  await Promise.all(Array.from({ length: 5 }, () => count(user_id)))
  expect(await jobCounts(db, user_id)).toEqual(expected)
  expect(await marked(user_id), 'only the running job').toBe(1)
  expect(await sums.findOne({ _id: user_id })).toMatchObject({ places: 5 * ended })
})

test('the counts are right at every moment while jobs are counted', async () => {
  const user_id = await userWith(60)
  let isCounted = false
  const counting = count(user_id).then(() => (isCounted = true))
  while (!isCounted) expect(await jobCounts(db, user_id)).toEqual({ jobs: { ...NONE, completed: 60 }, places: 300 })
  await counting
})

test('a deleted job goes from the counts at once, and from the stored sum when it is counted', async () => {
  const user_id = await userWith(2)
  await count(user_id)
  const [job] = await jobs.find({ user_id }).toArray()
  await hideJob(db, job ?? expect.fail('no job'))
  const expected = { jobs: { ...NONE, completed: 1 }, places: 5 }
  expect(await jobCounts(db, user_id)).toEqual(expected)
  await count(user_id)
  await count(user_id)
  expect(await jobCounts(db, user_id)).toEqual(expected)
  expect(await marked(user_id)).toBe(0)
})

test('a job that is deleted before it ends never counts', async () => {
  const user_id = await userWith(1)
  const job = sampleJob(user_id, { status: 'pending' })
  await jobs.insertOne(job)
  await hideJob(db, job)
  await count(user_id)
  expect(await jobCounts(db, user_id)).toEqual({ jobs: { ...NONE, completed: 1 }, places: 5 })
})

test('the jobs of a backup, which has no sums, count from the first reading on', async () => {
  const user_id = await userWith(3)
  await count(user_id)
  await jobs.insertOne(sampleJob(user_id, { status: 'running' }))
  await forgetJobCounts(db)
  expect((await jobCounts(db, user_id)).jobs).toEqual({ ...NONE, completed: 3, running: 1 })
})

test.each<[string, Document, string[]]>([
  ['jobs too many', { $inc: { 'jobs.failed': 2 } }, ['counts 2 failed jobs too many']],
  ['places too few', { $inc: { places: -1 } }, ['counts 1 places too few']],
  ['no change', {}, []],
])('a verification finds a stored sum with %s, and a recount mends it', async (_what, change, faults) => {
  const user_id = await userWith(2)
  await count(user_id)
  await sums.updateOne({ _id: user_id }, { $set: { version: 'changed' }, ...change })
  expect(await jobCountFaults(db, user_id)).toEqual(faults)
  await forgetJobCounts(db)
  expect(await jobCountFaults(db, user_id)).toEqual([])
})
