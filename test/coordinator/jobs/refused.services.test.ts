import { AppError } from '@placefleet/coordinator/http/errors'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import type { Db } from 'mongodb'
import { afterAll, expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { createQuietly, creation, startBed } from '../operations/bed.ts'
import type { Step } from '../operations/steps.ts'

const bed = await startBed((end) => afterAll(end))

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
