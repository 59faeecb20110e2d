import { randomUUID } from 'node:crypto'
import { microCredits } from '@placefleet/coordinator/billing/prices/cost'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { abortTimedOut, postponeJob, unscheduleJob } from '@placefleet/coordinator/jobs/due-jobs'
import { BLOCKED } from '@placefleet/coordinator/jobs/job-end'
import { type EndStatus, type JobPhase, statusOf } from '@placefleet/coordinator/jobs/phase'
import { hideJob, markClosed, moveJob, startPending } from '@placefleet/coordinator/jobs/phase-moves'
import { searchOn } from '@placefleet/coordinator/jobs/search-on'
import {
  abandonCreation,
  countRest,
  findJob,
  isLate,
  isStalledCreation,
  publication,
  writeProgress,
} from '@placefleet/coordinator/jobs/store'
import { findListed } from '@placefleet/coordinator/jobs/user-jobs'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import type { TaskCounts } from '@placefleet/coordinator/tasks/store'
import { insertFirstTasks } from '@placefleet/coordinator/tasks/store'
import { TIMINGS } from '@placefleet/coordinator/timings'
import type { MatchKeysAndValues } from 'mongodb'
import { expect, test } from 'vitest'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

/** Stores a job with only these fields, and returns its id. */
async function storedJob(fields: MatchKeysAndValues<JobDocument>): Promise<string> {
  const _id = randomUUID()
  await jobsOf(db).updateOne({ _id }, { $set: fields }, { upsert: true })
  return _id
}

test('of two that decide how a job ends one succeeds', async () => {
  const job = { _id: await storedJob({ phase: 'running', status: 'running' }), phase: 'running' } as const
  const decided = [
    await moveJob(db, job, 'ending', { end: BLOCKED }),
    await moveJob(db, job, 'aborting', { end: { status: 'cancelled', cancel_reason: 'timeout' } }),
  ]
  expect(decided).toMatchObject([{ phase: 'ending', end: 'failed' }, undefined])
  expect(await findJob(db, job._id)).toMatchObject({ phase: 'ending', status: 'running' })
})

test('an end that turned out otherwise keeps no reason of the expected one', async () => {
  const _id = await storedJob({ phase: 'running', status: 'running' })
  const ending =
    (await moveJob(db, { _id, phase: 'running' }, 'ending', { end: BLOCKED })) ?? expect.fail('not running')
  const ended = await moveJob(db, ending, 'closing', { end: { status: 'completed', partial: true } })
  expect(ended).toMatchObject({ status: 'completed', end: 'completed', partial: true })
  expect(ended).not.toHaveProperty('failure_reason')
})

test('the deletion of a job decides with one write that it ends, or that its places go', async () => {
  const hidden = async (phase: JobPhase, end?: EndStatus) => {
    const _id = await storedJob({
      user_id: 'me',
      listed: true,
      phase,
      status: statusOf(phase, end),
      ...(end && { end }),
    })
    const { listed, ...job } =
      (await hideJob(db, (await findJob(db, _id)) ?? expect.fail('no job'))) ?? expect.fail('moved')
    return { listed, phase: job.phase, end: job.end }
  }
  const listed = false
  expect(await hidden('pending')).toEqual({ listed, phase: 'closing', end: 'cancelled' })
  expect(await hidden('running')).toEqual({ listed, phase: 'aborting', end: 'cancelled' })
  expect(await hidden('ending', 'failed')).toEqual({ listed, phase: 'ending', end: 'failed' })
  expect(await hidden('closing', 'completed')).toEqual({ listed, phase: 'closing', end: 'completed' })
  expect(await hidden('ended', 'completed')).toEqual({ listed, phase: 'deleting', end: 'completed' })
})

test('a job that was deleted while it was closed loses its places then', async () => {
  const [shown, deleted] = [await storedJob({ phase: 'closing', listed: true }), await storedJob({ phase: 'closing' })]
  const phaseAfter = async (id: string) => (await markClosed(db, id))?.phase
  expect([await phaseAfter(shown), await phaseAfter(deleted), await phaseAfter(shown)]).toEqual([
    'ended',
    'deleting',
    undefined,
  ])
})

test('the totals of a job only rise, in whatever order they arrive', async () => {
  const id = await storedJob({ phase: 'running' })
  await writeProgress(db, id, { totals: { places: 20, reviews: 5, images: 3 } })
  await writeProgress(db, id, { totals: { places: 10, reviews: 6, images: 1 } })
  expect((await findJob(db, id))?.totals).toEqual({ places: 20, reviews: 6, images: 3 })
})

test('a started job has a deadline, and an ended one gives its slot back', async () => {
  const id = await storedJob({ phase: 'pending', status: 'pending', slot: 3, 'data.max_time': 600 })
  const { started_at, deadline_at } = (await startPending(db, id)) ?? expect.fail('not started')
  expect(Number(deadline_at) - Number(started_at)).toBe(600_000)
  expect((await findJob(db, id))?.slot).toBe(3)
  const ending = await moveJob(db, { _id: id, phase: 'running' }, 'ending', { end: { status: 'completed' } })
  expect(ending).toHaveProperty('slot')
  expect(await moveJob(db, ending ?? expect.fail('not running'), 'closing')).not.toHaveProperty('slot')
})

test('only a job in creation is given up: not one that is listed or deleted', async () => {
  const creating = await storedJob({ phase: 'creating' })
  const listed = await storedJob({ phase: 'pending' })
  const deleted = await storedJob({ phase: 'deleted' })
  expect([
    await abandonCreation(db, creating),
    await abandonCreation(db, listed),
    await abandonCreation(db, deleted),
  ]).toEqual([true, false, false])
})

test('a creation that was given up is never listed', async () => {
  const [given_up, other] = [await storedJob({ phase: 'creating' }), await storedJob({ phase: 'creating' })]
  await abandonCreation(db, given_up)
  const list = (_id: string) => insertFirstTasks(db, [], publication(db, _id, microCredits('0'), 5_000))
  expect([await list(given_up), await list(other)]).toEqual([false, true])
})

test('a creation is stalled after a minute, or once its rollback began, unless its job was listed since', async () => {
  const created_at = new Date(Date.now() - 61_000)
  const stalled = await storedJob({ phase: 'creating', created_at })
  const others = [
    await storedJob({ phase: 'rolling_back', created_at: new Date() }),
    await storedJob({ phase: 'creating', created_at: new Date() }),
    await storedJob({ phase: 'pending', created_at }),
    await storedJob({ phase: 'aborting', listed: false, created_at }),
  ]
  const answers = await Promise.all([stalled, ...others].map((id) => isStalledCreation(db, id)))
  expect(answers).toEqual([true, true, false, false, false])
})

test('a user finds only their own listed jobs', async () => {
  const [mine, hidden] = [
    await storedJob({ user_id: 'me', listed: true }),
    await storedJob({ user_id: 'me', listed: false }),
  ]
  expect(await findListed(db, 'me', mine)).toMatchObject({ _id: mine })
  expect(await findListed(db, 'me', hidden)).toBeUndefined()
  expect(await findListed(db, 'another', mine)).toBeUndefined()
})

test('who tidies up after a job does not take away what a deletion in the meantime has to do', async () => {
  const _id = await storedJob({ user_id: 'me', listed: true, phase: 'ended', status: 'completed', end: 'completed' })
  const job = (await findJob(db, _id)) ?? expect.fail('no job')
  await hideJob(db, job)
  await unscheduleJob(db, job)
  await postponeJob(db, job)
  const deleting = (await findJob(db, _id)) ?? expect.fail('no job')
  expect(deleting.phase).toBe('deleting')
  expect(deleting.due_at?.getTime()).toBe(deleting.phase_at.getTime())
})

test('a cancelled job waits eight seconds for its agents, so that it ends within ten', async () => {
  const aborting = async (seconds: number) => {
    const _id = randomUUID()
    await jobsOf(db).updateOne(
      { _id },
      [{ $set: { phase: 'aborting', phase_at: { $subtract: ['$$NOW', seconds * 1_000] } } }],
      { upsert: true },
    )
    return _id
  }
  const [waiting, over] = [await aborting(2), await aborting(9)]
  const timedOut = (job_id: string) => abortTimedOut(db, job_id, TIMINGS)
  expect([await timedOut(over), await timedOut(waiting)]).toEqual([true, false])
})

const SEARCHED: TaskCounts = {
  total: 1,
  ended: 1,
  failed: 0,
  running: 0,
  released: 0,
  waiting: { discover: 0, collect: 0 },
  searches: 1,
  searching: 0,
  failedSearches: 0,
  collecting: 0,
  planned: 0,
}
const CELL = { keyword: 'cafe', bounds: { south: 0, north: 1, west: 0, east: 1 } }

test.each([
  { when: '2,000 listed places are not collected', listed: 2_000, searches: 1 },
  { when: '2,001 listed places are not collected', listed: 2_001, searches: 0 },
  { when: '2,001 places are listed, and one task has ended', listed: 2_001, planned: 1, searches: 1 },
  { when: '2,001 places are listed, and one task runs', listed: 2_001, planned: 1, collecting: 1, searches: 0 },
  { when: 'a search is open', searching: 1, searches: 0 },
  { when: 'it lacks one place', places: 99, searches: 1 },
  { when: 'it has all places', places: 100, searches: 0 },
])('while $when, a job that exhausts its area begins $searches searches', async (row) => {
  const { listed = 0, places = 0, planned = 0, collecting = 0, searching = 0, searches } = row
  const running = sampleJob('user', { status: 'running', totals: { places, reviews: 0, images: 0 } })
  const job = { ...running, data: { ...running.data, exhaust: true, max_results: 100 } }
  const decideWave = async () => ({ after: 1, failed: 0, cells: [CELL], blocked: false })

  await searchOn({ db, decideWave }, job, { ...SEARCHED, planned, collecting, searching }, listed)

  expect(await tasksOf(db).countDocuments({ job_id: job._id })).toBe(searches)
})

const MINUTE = 60_000

/**
 * Inserts a running job with a `max_time` in minutes. Its methods return by how many minutes the rest moved its
 * deadline.
 */
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
