import { join } from 'node:path'
import { backUp } from '@placefleet/coordinator/backup/backup'
import { restore } from '@placefleet/coordinator/backup/restore'
import { indexes } from '@placefleet/coordinator/indexes'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { verifyDatabase } from '@placefleet/coordinator/operator/commands/verification'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import type { Db } from 'mongodb'
import { expect, test } from 'vitest'
import { keyOf } from '../../harness/agents/scripted-collector.ts'
import { claimTask, type TaskCall } from '../../harness/agents/task-call.ts'
import { FAST } from '../../harness/coordinator/fast.ts'
import { finishedEvent, placesEvent, releasedTask } from '../../harness/coordinator/released-task.ts'
import { addCoordinator, startWorld, type TestCoordinator, type World } from '../../harness/coordinator/world.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { until } from '../../harness/until.ts'
import { volume } from '../../harness/volume.ts'

/** Before which read of a backup the world goes on: of a collection, the first or the second. */
const ALL_MOMENTS: [collection: string, read: number][] = [
  ['users', 1],
  ['ledger', 1],
  ['tasks', 1],
  ['searched_cells', 1],
  ['references', 1],
  ['jobs', 1],
  ['results', 1],
  ['webhook_deliveries', 1],
  ['jobs', 2],
]

const MOMENTS = volume(
  ALL_MOMENTS.filter(([collection, read]) => collection === 'users' || collection === 'tasks' || read === 2),
  ALL_MOMENTS,
)

/** Returns a database that calls `onRead` before each query of a backup. */
function watched(db: Db, onRead: (collection: string) => Promise<void>): Db {
  return new Proxy(db, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name)
      if (name !== 'collection') return typeof member === 'function' ? member.bind(of) : member
      return (called: string) =>
        new Proxy(of.collection(called), {
          get(collection, method) {
            const its: unknown = Reflect.get(collection, method)
            if (typeof its !== 'function') return its
            if (method !== 'find') return its.bind(collection)
            return async function* read(...args: unknown[]) {
              await onRead(called)
              yield* its.apply(collection, args)
            }
          },
        })
    },
  })
}

async function claim(coordinator: TestCoordinator, task_id: string): Promise<TaskCall> {
  const call = claimTask(coordinator.grpc, { task_id })
  await call.next()
  return call
}

async function finish(call: TaskCall, from: bigint, ...numbers: number[]): Promise<void> {
  call.event(from, placesEvent(...numbers))
  await call.next()
  call.event(from + 1n, finishedEvent)
}

/** Runs a job of three places to its end. */
async function endedJob(world: World, coordinator: TestCoordinator): Promise<string> {
  const { job_id, task_id } = await releasedTask(world, coordinator)
  await finish(await claim(coordinator, task_id), 1n, 1, 2, 3)
  await coordinator.client.ended(job_id)
  return job_id
}

/** Deletes a job and waits until its places are gone. */
async function deleteJob({ db }: World, { client }: TestCoordinator, job_id: string): Promise<void> {
  await client.call('DELETE', `/api/v1/jobs/${job_id}`)
  await until('its places are gone', async () => {
    const job = await jobsOf(db).findOne({ _id: job_id })
    return job === null || job.phase === 'deleted'
  })
}

/** A world with a job on its way, and what happens to it and to others while a backup runs. */
async function busyWorld() {
  const world = await startWorld()
  const coordinator = await addCoordinator(world, {}, { timings: FAST })
  const deleted = await endedJob(world, coordinator)
  const begin = async (...numbers: number[]) => {
    const { job_id, task_id } = await releasedTask(world, coordinator)
    const call = await claim(coordinator, task_id)
    call.event(1n, placesEvent(...numbers))
    await call.next()
    return { job_id, call }
  }
  const { job_id: running, call } = await begin(1, 2)
  const [{ job_id: cancelled }, { job_id: dropped }] = [await begin(1), await begin(1)]
  const goOn = async () => {
    await finish(call, 2n, 3)
    await coordinator.client.ended(running)
    await tasksOf(world.db).deleteMany({ job_id: running }) // as a minute later
    await coordinator.client.call('POST', `/api/v1/jobs/${cancelled}/cancel`)
    await coordinator.client.ended(cancelled)
    await deleteJob(world, coordinator, dropped)
    await deleteJob(world, coordinator, deleted)
    await jobsOf(world.db).deleteOne({ _id: deleted }) // as a day later
    await deleteJob(world, coordinator, await endedJob(world, coordinator))
    await endedJob(world, coordinator)
    const pending = await coordinator.client.create({ keywords: ['one'] })
    await coordinator.client.call('POST', `/api/v1/jobs/${pending}/cancel`)
  }
  return { world, coordinator, running, deleted, goOn }
}

/** Ends the active jobs of a restored database as an agent does that collects three places. */
async function endAll({ db }: World, coordinator: TestCoordinator): Promise<void> {
  await until(
    'no job is active',
    async () => {
      const task = await tasksOf(db).findOne({ state: 'released' })
      if (task) await finish(await claim(coordinator, task._id), 1n, 1, 2, 3)
      const phases = await jobsOf(db).distinct('phase')
      return phases.every((phase) => phase === 'ended' || phase === 'deleted')
    },
    60_000,
  )
}

test.each(MOMENTS)(
  'jobs that end, come and go before a backup reads %s (%i) are whole after the restore, and nothing stays held',
  async (collection, nth) => {
    const { world, coordinator, running, deleted, goOn } = await busyWorld()
    let reads = 0
    const onRead = async (read: string) => {
      if (read === collection && ++reads === nth) await goOn()
    }
    const dir = join(temporaryDir(), 'backup')
    await backUp(watched(world.db, onRead), dir)
    expect(reads, 'times that it was read').toBeGreaterThanOrEqual(nth)
    await coordinator.close()

    const target = await startWorld()
    await restore(target.db, dir, indexes)
    expect((await verifyDatabase(target.db)).deviations).toEqual([])
    await tasksOf(target.db).updateMany({ state: 'running' }, { $set: { lease_until: new Date(0) } }) // as an hour later
    const restored = await addCoordinator(target, {}, { timings: FAST })
    await endAll(target, restored)

    const { client } = restored
    expect((await client.call('GET', `/api/v1/jobs/${deleted}`)).status).toBe(404)
    expect(await client.job(running)).toMatchObject({ status: 'completed', result_count: 3 })
    for (const { _id, status } of await jobsOf(target.db).find({ listed: true }).toArray()) {
      const keys = (await client.places(_id)).map(({ data_id }) => data_id)
      if (status !== 'cancelled') expect(keys.toSorted()).toEqual([1, 2, 3].map(keyOf))
    }
    for (const name of ['tasks', 'references', 'results', 'searched_cells', 'webhook_deliveries']) {
      const ids = await jobsOf(target.db).distinct('_id', { listed: true })
      const lost = await target.db.collection(name).findOne({ job_id: { $nin: [...ids, undefined] } })
      expect(lost, `${name} of a job that is not restored`).toBeNull()
    }
    const [last] = await target.db.collection('ledger').find().sort({ seq: -1 }).limit(1).toArray()
    expect(last).toMatchObject({ held_after: 0 })
    expect((await verifyDatabase(target.db)).deviations).toEqual([])
  },
  120_000,
)
