import { randomUUID } from 'node:crypto'
import { attemptsOf } from '@placefleet/coordinator/tasks/attempts'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createLeases, type Lease, processId } from '@placefleet/coordinator/tasks/lease'
import { findTask, insertTasks } from '@placefleet/coordinator/tasks/store'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const tasks = tasksOf(db)
const leases = createLeases(db)

/** Creates a task that an agent holds. */
async function heldTask(agent_id = 'agent', stream = 'stream'): Promise<Lease> {
  const job_id = randomUUID()
  await insertTasks(db, [{ job_id, user_id: 'user', kind: 'discover', ordinal: 0, keyword: 'bakery' }])
  const { _id } = (await tasks.findOneAndUpdate({ job_id }, { $set: { state: 'released' } })) ?? expect.fail('no task')
  const holder = { agent_id, stream }
  const { attempt } = (await leases.claim(_id, holder)) ?? expect.fail('not claimed')
  return { ...holder, task_id: _id, attempt }
}

const failure = { code: 'layout_changed', message: 'it failed' } as const

test('an agent resumes its attempt on another stream, and no other attempt', async () => {
  const lease = await heldTask()
  expect(await leases.resume({ ...lease, attempt: lease.attempt + 1 })).toBeUndefined()
  expect(await leases.resume({ ...lease, agent_id: 'another' })).toBeUndefined()
  expect(await leases.resume({ ...lease, stream: 'later' })).toMatchObject({ stream: 'later', attempt: lease.attempt })
})

test('a failed task waits for 2 s, then for 4 s, and fails for good with its third failure', async () => {
  const lease = await heldTask()
  const fail = async (attempt: number) => {
    await leases.fail({ ...lease, attempt }, failure, {})
    const { state, failures, not_before, attempts } = (await findTask(db, lease.task_id)) ?? expect.fail('no task')
    await tasks.updateOne({ _id: lease.task_id, state: 'waiting' }, { $set: { state: 'released' } })
    await leases.claim(lease.task_id, lease)
    return { state, failures, waits: Number(not_before) - Number(attempts?.at(-1)?.ended_at) }
  }
  expect(await fail(1)).toEqual({ state: 'waiting', failures: 1, waits: 2_000 })
  expect(await fail(2)).toEqual({ state: 'waiting', failures: 2, waits: 4_000 })
  expect(await fail(3)).toMatchObject({ state: 'failed', failures: 3 })
  expect(await findTask(db, lease.task_id)).toMatchObject({ failure })
})

test('a lease that ran out is taken away, which is a failure, and one that still lasts is not', async () => {
  const [late, other] = [await heldTask(), await heldTask()]
  const task = await tasks.findOneAndUpdate({ _id: late.task_id }, { $set: { lease_until: new Date(0) } })
  expect(await leases.expire()).toEqual([task?.job_id])
  expect(await findTask(db, late.task_id)).toMatchObject({ state: 'waiting', failures: 1 })
  expect(await findTask(db, other.task_id)).toMatchObject({ state: 'running', failures: 0 })
})

test('of leases that are renewed together, the held are renewed and the lost are not', async () => {
  const [held, moved, ended] = await Promise.all(['a', 'b', 'c'].map((stream) => heldTask('agent', stream)))
  if (!held || !moved || !ended) return expect.fail('no leases')
  await leases.resume({ ...moved, stream: 'later' })
  await leases.complete(ended, {})
  await tasks.updateMany({ _id: { $in: [held.task_id, moved.task_id] } }, { $set: { lease_until: new Date(0) } })
  const first = leases.renew(held) // the next ones wait for it, together
  expect(await Promise.all([first, ...[held, moved, ended].map(leases.renew)])).toEqual([true, true, false, false])
  const { lease_until } = (await findTask(db, held.task_id)) ?? expect.fail('no task')
  expect(Number(lease_until)).toBeGreaterThan(Date.now())
  expect((await findTask(db, moved.task_id))?.lease_until).toEqual(new Date(0))
  await leases.expire() // nothing is left for the other tests
})

test('the outcomes of a task add up until it is done', async () => {
  const lease = await heldTask()
  await db.client.bulkWrite([
    leases.acknowledgement(lease, 1, { ok: 2, empty: 1 }),
    leases.acknowledgement(lease, 2, { ok: 4 }),
    leases.completion(lease, { counted: { broken: 1 } }, { ok: 3 }),
  ])
  expect(await findTask(db, lease.task_id)).toMatchObject({ state: 'done', outcomes: { ok: 9, empty: 1, broken: 1 } })
})

test('revoking an agent gives back its tasks, and not those of one whose name begins alike', async () => {
  const [revoked, other] = [await heldTask(processId('berlin', 'a')), await heldTask(processId('berlin-2', 'a'))]
  await leases.giveBackOf('berlin')
  expect(await findTask(db, revoked.task_id)).toMatchObject({ state: 'waiting', failures: 0 })
  expect(await findTask(db, other.task_id)).toMatchObject({ state: 'running' })
})

test('each attempt that did not end its task is recorded with its agent, its exit and how it ended', async () => {
  const lease = await heldTask()
  const claimAgain = async () => {
    await tasks.updateOne({ _id: lease.task_id }, { $set: { state: 'released' } })
    const holder = { agent_id: 'other', stream: 'stream', exit: 'home' }
    return { ...holder, task_id: lease.task_id, attempt: (await leases.claim(lease.task_id, holder))?.attempt ?? 0 }
  }
  await leases.fail(lease, failure, {})
  await leases.snooze(await claimAgain(), { seconds: 0.001, claimant: 'home', others: [] }, {})
  await tasks.updateOne({ _id: lease.task_id }, { $unset: { refused: '' } })
  await leases.handBack(await claimAgain())
  await claimAgain()
  await tasks.updateOne({ _id: lease.task_id }, { $set: { lease_until: new Date(0) } })
  await leases.expire()
  await leases.complete(await claimAgain(), {})
  const attempts = attemptsOf((await findTask(db, lease.task_id)) ?? expect.fail('no task'))
  expect(attempts).toMatchObject([
    {
      number: 1,
      agent_id: 'agent',
      result: 'failed',
      failure,
      started_at: expect.any(Date),
      ended_at: expect.any(Date),
    },
    { number: 2, agent_id: 'other', exit: 'home', result: 'refused' },
    { number: 3, agent_id: 'other', exit: 'home', result: 'handed_back' },
    { number: 4, agent_id: 'other', exit: 'home', result: 'lost', failure: { code: 'agent_crashed' } },
    { number: 5, agent_id: 'other', exit: 'home', result: 'finished', ended_at: expect.any(Date) },
  ])
  expect(attempts[0]).not.toHaveProperty('exit')
})

test('an attempt that runs is listed without an end, and only the latest ten are kept', async () => {
  const lease = await heldTask()
  const { started_at, ended_at } = { started_at: new Date(), ended_at: new Date() }
  const refused = { agent_id: 'agent', started_at, ended_at, result: 'refused' } as const
  const attempts = Array.from({ length: 10 }, (_, index) => ({ ...refused, number: index + 1 }))
  await tasks.updateOne({ _id: lease.task_id }, { $set: { attempts, attempt: 11 } })
  const listed = async () => attemptsOf((await findTask(db, lease.task_id)) ?? expect.fail('no task'))
  expect((await listed()).at(-1)).toEqual({ number: 11, agent_id: 'agent', started_at: expect.any(Date) })
  await leases.fail({ ...lease, attempt: 11 }, failure, {})
  expect((await listed()).map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})
