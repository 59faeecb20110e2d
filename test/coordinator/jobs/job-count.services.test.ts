import { randomUUID } from 'node:crypto'
import { microCredits } from '@placefleet/coordinator/billing/prices/cost'
import { jobIndexes, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { createJobCount } from '@placefleet/coordinator/jobs/job-count'
import { createJobStore } from '@placefleet/coordinator/jobs/store'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { expect, test } from 'vitest'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
await ensureIndexes(db, jobIndexes)

const PAGE = { page: 1, limit: 10, sort: 'created_at', order: 'desc', search: '' } as const

/** Creates a user with so many listed jobs, and returns the calls of one coordinator. */
async function userWith(listed: number) {
  const user_id = randomUUID()
  const add = async (count: number, fields = {}) => {
    const jobs = Array.from({ length: count }, () => sampleJob(user_id, fields))
    await jobsOf(db).insertMany(jobs)
    return jobs
  }
  const jobs = await add(listed)
  const store = createJobStore(db)
  return { user_id, jobs, add, store, total: async () => (await store.page(user_id, PAGE)).total }
}

test('the number of up to 1,000 jobs has the changes of all coordinators', async () => {
  const { add, total } = await userWith(999)
  expect(await total()).toBe(999)
  await add(1)
  expect(await total()).toBe(1_000)
  await add(1)
  expect(await total()).toBe(1_001)
})

test('the number of more jobs of a status is kept, too, until this coordinator lists or hides one', async () => {
  const { user_id, add, store } = await userWith(1)
  const ofStatus = async () => (await store.page(user_id, { ...PAGE, status: 'failed' })).total
  const [failed = expect.fail('there is no job')] = await add(1_001, { status: 'failed' })
  expect(await ofStatus()).toBe(1_001)
  await add(1, { status: 'failed' }) // by another coordinator
  expect(await ofStatus()).toBe(1_001)
  await store.hide(failed)
  expect(await ofStatus()).toBe(1_001)
})

test('the number of more jobs is not counted again until this coordinator lists or hides one', async () => {
  const { user_id, jobs, add, store, total } = await userWith(1_001)
  const [hidden = expect.fail('there is no job')] = jobs
  const [created = expect.fail('there is no job')] = await add(1, { listed: false, phase: 'creating' })
  expect(await total()).toBe(1_001)
  await add(2) // by another coordinator
  expect(await total()).toBe(1_001)
  await store.publish(created, microCredits('0'))
  expect(await total()).toBe(1_004)
  await store.hide(hidden)
  expect(await total()).toBe(1_003)
  await add(1)
  expect((await store.page(user_id, { ...PAGE, status: 'completed' })).total).toBe(0)
  expect((await store.page(user_id, { ...PAGE, search: 'no such name' })).total).toBe(0)
})

test('a number that was counted beside a change is not kept', async () => {
  const { user_id, add } = await userWith(1_001)
  const count = createJobCount(jobsOf(db))
  const counting = count.of(user_id)
  count.changed(user_id)
  await counting
  await add(1)
  expect(await count.of(user_id)).toBe(1_002)
})
