import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { countRest, isLate } from '@placefleet/coordinator/jobs/store'
import { expect, test } from 'vitest'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const MINUTE = 60_000

/** Inserts a running job with a `max_time` in minutes. Its methods return by how many minutes the rest moved its deadline. */
async function running(minutes: number) {
  const job = sampleJob('user')
  const started_at = new Date()
  const data = { ...job.data, max_time: minutes * 60 }
  const deadline_at = new Date(started_at.getTime() + minutes * MINUTE)
  await jobsOf(db).insertOne({ ...job, phase: 'running', status: 'running', data, started_at, deadline_at })
  const current = async () => (await jobsOf(db).findOne({ _id: job._id })) ?? expect.fail('no job')
  const count = async (until: Date | undefined) => {
    await countRest(db, await current(), until)
    return Math.round(((await current()).deadline_at?.getTime() ?? 0) / MINUTE - deadline_at.getTime() / MINUTE)
  }
  return { id: job._id, count }
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE)

test('a rest moves the deadline of its job by as long, once, however often it is counted', async () => {
  const { count } = await running(60)
  const until = inMinutes(20)
  expect([await count(until), await count(until), await count(inMinutes(30))]).toEqual([20, 20, 30])
})

test('a rest that ends early is taken back, and the next one counts again', async () => {
  const { count } = await running(60)
  expect([await count(inMinutes(50)), await count(undefined), await count(inMinutes(10))]).toEqual([50, 0, 10])
})

test('all rests of a job count for as long as its max_time, and a day at most', async () => {
  const short = await running(30)
  expect([await short.count(inMinutes(45)), await short.count(undefined)]).toEqual([30, 0])
  const long = await running(3 * 24 * 60)
  expect(await long.count(inMinutes(2 * 24 * 60))).toBe(24 * 60)
})

test('a job is late by the clock of the database, also after its rest was counted', async () => {
  const { id, count } = await running(0)
  await jobsOf(db).updateOne({ _id: id }, { $set: { deadline_at: new Date(0) } })
  expect(await isLate(db, id)).toBe(true)
  await count(undefined)
  expect(await isLate(db, id)).toBe(true)
})
