import { randomUUID } from 'node:crypto'
import { microCredits } from '@placefleet/coordinator/billing/prices/cost'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { postponeJob, unscheduleJob } from '@placefleet/coordinator/jobs/due-jobs'
import { BLOCKED } from '@placefleet/coordinator/jobs/job-end'
import { type EndStatus, type JobPhase, statusOf } from '@placefleet/coordinator/jobs/phase'
import { hideJob, markClosed, moveJob, startPending } from '@placefleet/coordinator/jobs/phase-moves'
import {
  abandonCreation,
  findJob,
  isStalledCreation,
  publication,
  writeProgress,
} from '@placefleet/coordinator/jobs/store'
import { findListed } from '@placefleet/coordinator/jobs/user-jobs'
import { insertFirstTasks } from '@placefleet/coordinator/tasks/store'
import type { MatchKeysAndValues } from 'mongodb'
import { expect, test } from 'vitest'
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
