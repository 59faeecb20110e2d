import { randomUUID } from 'node:crypto'
import { microCredits } from '@placefleet/coordinator/billing/cost'
import { type JobDocument, jobIndexes, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { createJobStore } from '@placefleet/coordinator/jobs/store'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import type { MatchKeysAndValues } from 'mongodb'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
await ensureIndexes(db, jobIndexes)
const jobs = createJobStore(jobsOf(db))

/** Stores a job with only these fields, and returns its id. */
async function storedJob(fields: MatchKeysAndValues<JobDocument>): Promise<string> {
  const _id = randomUUID()
  await jobsOf(db).updateOne({ _id }, { $set: fields }, { upsert: true })
  return _id
}

test('of two that move a job from the same status one succeeds', async () => {
  const id = await storedJob({ status: 'running' })
  const moved = [await jobs.move(id, 'running', 'completed'), await jobs.move(id, 'running', 'failed')]
  expect(moved).toMatchObject([{ status: 'completed' }, undefined])
  expect(await jobs.find(id)).toMatchObject({ status: 'completed' })
})

test('the totals of a job only rise, in whatever order they arrive', async () => {
  const id = await storedJob({ status: 'running' })
  await jobs.showProgress(id, { totals: { places: 20, reviews: 5, images: 3 } })
  await jobs.showProgress(id, { totals: { places: 10, reviews: 6, images: 1 } })
  expect((await jobs.find(id))?.totals).toEqual({ places: 20, reviews: 6, images: 3 })
})

test('a started job has a deadline, and an ended one gives its slot back', async () => {
  const id = await storedJob({ status: 'pending', slot: 3, 'data.max_time': 600 })
  const { started_at, deadline_at } = (await jobs.start(id)) ?? expect.fail('not started')
  expect(Number(deadline_at) - Number(started_at)).toBe(600_000)
  expect((await jobs.find(id))?.slot).toBe(3)
  expect(await jobs.move(id, 'running', 'completed')).not.toHaveProperty('slot')
})

test('only a job in creation is given up: not one that is listed or deleted', async () => {
  const creating = await storedJob({ listed: false })
  const listed = await storedJob({ listed: true })
  const deleted = await storedJob({ listed: false, deleted_at: new Date() })
  expect([await jobs.abandon(creating), await jobs.abandon(listed), await jobs.abandon(deleted)]).toEqual([
    true,
    false,
    false,
  ])
})

test('a creation that was given up is never listed', async () => {
  const [given_up, other] = [await storedJob({ listed: false }), await storedJob({ listed: false })]
  await jobs.abandon(given_up)
  const list = (_id: string) => jobs.list({ _id, user_id: 'anybody' }, microCredits('0'))
  expect([await list(given_up), await list(other)]).toEqual([false, true])
})

test('a creation is stalled after a minute, unless its job was listed since, even if it is deleted now', async () => {
  const created_at = new Date(Date.now() - 61_000)
  const stalled = await storedJob({ listed: false, created_at })
  const others = [
    await storedJob({ listed: false, created_at: new Date() }),
    await storedJob({ listed: true, created_at }),
    await storedJob({ listed: false, created_at, deleted_at: new Date() }),
  ]
  expect(await Promise.all([stalled, ...others].map(jobs.isStalledCreation))).toEqual([true, false, false, false])
})

test('a user finds only their own listed jobs', async () => {
  const [mine, hidden] = [
    await storedJob({ user_id: 'me', listed: true }),
    await storedJob({ user_id: 'me', listed: false }),
  ]
  expect(await jobs.findListed('me', mine)).toMatchObject({ _id: mine })
  expect(await jobs.findListed('me', hidden)).toBeUndefined()
  expect(await jobs.findListed('another', mine)).toBeUndefined()
})
