import { AppError } from '@placefleet/coordinator/http/errors'
import { rollbackCreation } from '@placefleet/coordinator/jobs/create'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import type { Db } from 'mongodb'
import { MongoNetworkError } from 'mongodb'
import { afterAll, expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { createQuietly, creation, startBed } from '../operations/bed.ts'
import { noneLeft } from '../operations/job-checks.ts'
import type { Step } from '../operations/steps.ts'

const bed = await startBed((end) => afterAll(end))

/** The first write reaches the database, but its answer is lost. */
function unacknowledged(): Step {
  let writes = 0
  return async (write) => {
    writes += 1
    const answer = await write()
    if (writes === 1) throw new MongoNetworkError('the connection broke')
    return answer
  }
}

test('a creation whose insert was not acknowledged leaves nothing, and its key is free at once', async () => {
  const user_id = await bed.user()
  const wanted = creation(user_id, { idempotent: { key: 'order-17', fingerprint: 'f' } })
  const create = bed.inSteps(unacknowledged(), (db) => createQuietly(bed.over(db), wanted))
  await expect(create).rejects.toThrow('the connection broke')
  await noneLeft(bed, user_id)()

  const { job_id } = await createQuietly(bed.healthy, wanted)
  expect(await jobsOf(bed.db).find({ user_id }).toArray()).toMatchObject([{ _id: job_id, listed: true }])
})

test('a creation that another process rolled back removes the tasks that it added since', async () => {
  const user_id = await bed.user()
  let writes = 0
  const overtaken: Step = async (write) => {
    writes += 1
    if (writes === 3) {
      const job = (await jobsOf(bed.db).findOne({ user_id })) ?? expect.fail('no job')
      expect(await rollbackCreation(bed.healthy, job)).toBe(true)
    }
    const answer = await write()
    if (writes === 3) expect(await tasksOf(bed.db).countDocuments({ user_id })).toBe(2)
    return answer
  }
  const create = bed.inSteps(overtaken, (db) => createQuietly(bed.over(db), creation(user_id)))
  await expect(create).rejects.toMatchObject({ code: 'unavailable' })
  await noneLeft(bed, user_id)()
})

/** Creates a job that must be refused. Returns the error, and how often the creation wrote. */
async function refused(user_id: string, more: Parameters<typeof creation>[1] = {}, limiter = {}) {
  let writes = 0
  const counting: Step = (write) => {
    writes += 1
    return write()
  }
  const create = (db: Db) => createQuietly({ ...bed.over(db), ...limiter }, creation(user_id, more))
  const error = await bed.inSteps(counting, create).catch((failure: unknown) => failure)
  return { error, writes }
}

test('a creation that the account cannot pay writes nothing, however often it is repeated', async () => {
  const user_id = await bed.user(0)
  for (let again = 0; again < volume(20, 1_000); again++) {
    expect(await refused(user_id)).toMatchObject({ error: { code: 'insufficient_credits' }, writes: 0 })
  }
  expect(await bed.db.collection('ledger').countDocuments({ user_id })).toBe(0)
  expect(await jobsOf(bed.db).countDocuments({ user_id })).toBe(0)
}, 120_000)

test('a creation beyond a limit of its key writes nothing', async () => {
  const user_id = await bed.user()
  const key = { id: 'key', limits: { day: '0.000001' } }
  expect(await refused(user_id, { key })).toMatchObject({ error: { code: 'key_limit' }, writes: 0 })
})

test('a creation beyond the concurrent jobs writes nothing', async () => {
  const user_id = await bed.user()
  await createQuietly(bed.healthy, creation(user_id, { concurrent_jobs: 1 }))
  const answer = await refused(user_id, { concurrent_jobs: 1 })
  expect(answer).toMatchObject({ error: { code: 'concurrent_job_limit' }, writes: 0 })
  expect(await jobsOf(bed.db).countDocuments({ user_id })).toBe(1)
})

test('a creation beyond the rate of jobs writes nothing', async () => {
  const user_id = await bed.user()
  const creationLimit = { take: () => Promise.reject(new AppError('rate_limited', 'Too many jobs in a minute.')) }
  const answer = await refused(user_id, {}, { creationLimit })
  expect(answer).toMatchObject({ error: { code: 'rate_limited' }, writes: 0 })
})
