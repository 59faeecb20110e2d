import { randomUUID } from 'node:crypto'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { taskIndexes, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createLeases, type Lease, processId } from '@placefleet/coordinator/tasks/lease'
import { createTaskStore } from '@placefleet/coordinator/tasks/store'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
await ensureIndexes(db, taskIndexes)
const tasks = tasksOf(db)
const leases = createLeases(db)
const store = createTaskStore(db)

/** Creates a task that an agent holds. */
async function heldTask(agent_id = 'agent'): Promise<Lease> {
  const job_id = randomUUID()
  await store.create([{ job_id, user_id: 'user', kind: 'discover', ordinal: 0, keyword: 'bakery' }])
  const { _id } = (await tasks.findOneAndUpdate({ job_id }, { $set: { state: 'released' } })) ?? expect.fail('no task')
  const holder = { agent_id, stream: 'stream' }
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

test('a failed task waits before its next attempt', async () => {
  const lease = await heldTask()
  await leases.fail(lease, failure, {})
  const { state, failures, not_before } = (await store.find(lease.task_id)) ?? expect.fail('no task')
  expect({ state, failures }).toEqual({ state: 'waiting', failures: 1 })
  expect(Number(not_before)).toBeGreaterThan(Date.now())
})

test('a task fails for good with its third failure', async () => {
  const lease = await heldTask()
  await tasks.updateOne({ _id: lease.task_id }, { $set: { failures: 2 } })
  await leases.fail(lease, failure, {})
  expect(await store.find(lease.task_id)).toMatchObject({ state: 'failed', failures: 3, failure })
})

test('a lease that ran out is taken away, which is a failure, and one that still lasts is not', async () => {
  const [late, other] = [await heldTask(), await heldTask()]
  const task = await tasks.findOneAndUpdate({ _id: late.task_id }, { $set: { lease_until: new Date(0) } })
  expect(await leases.expire()).toEqual([task?.job_id])
  expect(await store.find(late.task_id)).toMatchObject({ state: 'waiting', failures: 1 })
  expect(await store.find(other.task_id)).toMatchObject({ state: 'running', failures: 0 })
})

test('the outcomes of a task add up until it is done', async () => {
  const lease = await heldTask()
  await leases.acknowledge(lease, 1, { ok: 2, empty: 1 })
  await leases.acknowledge(lease, 2, { ok: 4 })
  await leases.complete(lease, { ok: 3 })
  expect(await store.find(lease.task_id)).toMatchObject({ state: 'done', outcomes: { ok: 9, empty: 1, broken: 0 } })
})

test('revoking an agent gives back its tasks, and not those of one whose name begins alike', async () => {
  const [revoked, other] = [await heldTask(processId('berlin', 'a')), await heldTask(processId('berlin-2', 'a'))]
  await leases.giveBackOf('berlin')
  expect(await store.find(revoked.task_id)).toMatchObject({ state: 'waiting', failures: 0 })
  expect(await store.find(other.task_id)).toMatchObject({ state: 'running' })
})
