import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { TIMINGS } from '@placefleet/agent/timings'
import type { TaskDocument } from '@placefleet/coordinator/tasks/documents'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { natsServers, TASK_STREAM } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { expect, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { keyOf, scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { FAST } from '../../harness/coordinator/fast.ts'
import { startCoordinatorProcess } from '../../harness/coordinator/processes.ts'
import { addCoordinator, startWorld, type World, withOwnNats } from '../../harness/coordinator/world.ts'
import { startBalancer } from '../../harness/network/balancer.ts'
import { startCuttableProxy } from '../../harness/network/cuttable-proxy.ts'
import { until } from '../../harness/until.ts'

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Counts how often each place is collected, and takes a while for it. */
function countingCollector(find: () => number[], ms: number) {
  const collected = new Map<string, number>()
  const collector = scriptedCollector({
    find,
    before: async (_, reference, signal) => {
      await sleep(ms, undefined, { signal })
      collected.set(reference.place_key, (collected.get(reference.place_key) ?? 0) + 1)
    },
  })
  return { collector, collected }
}

test('after a broken stream the task continues without a spent attempt, and nothing is lost or collected twice', async () => {
  const world = await startWorld()
  const { grpc, client } = await addCoordinator(world)
  const network = await startCuttableProxy(grpc)
  const { collector, collected } = countingCollector(() => range(60), 40)
  await addAgent(world, network.address, collector)
  const id = await client.create({ keywords: ['one'], max_results: 500 })

  for (const stored of [5, 20, 35]) {
    await until(`${stored} places are stored`, async () => (await client.job(id)).result_count >= stored)
    network.cut()
  }

  expect(await client.ended(id)).toMatchObject({ status: 'completed', result_count: 60, outcomes: { duplicate: 0 } })
  expect([...collected.values()].filter((times) => times > 1)).toEqual([])
  const tasks = await world.db.collection<TaskDocument>('tasks').find({ job_id: id }).toArray()
  expect(tasks.map((task) => task.failures)).toEqual(tasks.map(() => 0))
})

test('a vanished agent is replaced, and stored places are not collected again', async () => {
  const world = await startWorld()
  const { grpc, client } = await addCoordinator(world, {}, { timings: { ...FAST, brokenStreamMs: 500 } })
  const network = await startCuttableProxy(grpc)
  const lost = createLifecycle(world.log)
  world.life.own('lost agent', lost, (life) => life.close())
  const keys = range(40).map(keyOf)
  // It collects three places of each task.
  const frozen = scriptedCollector({
    find: () => range(40),
    before: async (_, { place_key }, signal) => {
      if (keys.indexOf(place_key) % 10 >= 3) await once(signal, 'abort')
    },
  })
  const timings = { ...TIMINGS, stopWithinMs: 500 }
  const vanishing = await addAgent({ ...world, life: lost }, network.address, frozen, 4, timings)
  const id = await client.create({ keywords: ['one'], max_results: 500 })
  await until('places of each task are stored', async () => (await client.job(id)).result_count === 12)

  const stored = (await client.places(id)).map((place) => place.data_id)
  network.close()
  void vanishing.drain()
  const { collector, collected } = countingCollector(() => range(40), 1)
  await addAgent(world, grpc, collector)

  expect(await client.ended(id)).toMatchObject({ status: 'completed', result_count: 40 })
  expect([...collected.keys()].toSorted()).toEqual(keys.filter((key) => !stored.includes(key)).toSorted())
})

test('losing all of NATS loses no job', async () => {
  const world = await startWorld()
  const { grpc, client } = await addCoordinator(world, {}, { timings: FAST })
  const id = await client.create({ keywords: ['one', 'two'] })
  const nats = await connect(natsServers(world.natsUrl))
  const manager = await nats.jetstreamManager()
  await until('the tasks are in the queue', async () => (await manager.streams.info(TASK_STREAM)).state.messages === 2)

  await manager.streams.delete(TASK_STREAM)
  await nats.close()
  await addAgent(world, grpc, scriptedCollector({ find: () => range(5) }))

  expect(await client.ended(id)).toMatchObject({ status: 'completed', result_count: 5 })
})

const runningTasks = (world: World) =>
  world.db.collection<TaskDocument>('tasks').find({ state: 'running' }).sort({ _id: 1 }).toArray()

test('after kill -9 of a coordinator its streams continue at another one', async () => {
  const world = await startWorld()
  const [dying, other] = [await startCoordinatorProcess(world), await addCoordinator(world)]
  const { address: grpc } = await startBalancer(
    [dying, other].map(({ ports, url }) => ({ port: Number(ports.GRPC_PORT), health: `${url}/health` })),
  )
  const collector = scriptedCollector({
    find: () => Array.from({ length: 200 }, (_, n) => n),
    before: (_, __, signal) => sleep(1_000, undefined, { signal }),
  })
  await addAgent(world, grpc, collector, 3)
  const job_id = await other.client.create({ keywords: ['one'], max_results: 200 })
  const before = await until('three tasks run', async () => {
    const tasks = await runningTasks(world)
    return tasks.length === 3 && tasks
  })

  await dying.kill('SIGKILL') // the balancer's first connection, and so all streams, went to this one

  const streams = new Set(before.map(({ stream }) => stream))
  await until('a coordinator was killed, and its streams go on at another one', async () => {
    const tasks = await runningTasks(world)
    return tasks.length > 0 && tasks.every(({ stream }) => !streams.has(stream))
  })
  const tasks = await world.db.collection<TaskDocument>('tasks').find({ job_id }).toArray()
  expect(tasks.map(({ failures }) => failures)).toEqual(tasks.map(() => 0))
}, 120_000)

test('after kill -9 and a restart of NATS with its data, agents take tasks again', async () => {
  const world = await withOwnNats(await startWorld())
  const { grpc, client } = await addCoordinator(world)
  await addAgent(world, grpc, scriptedCollector({ find: () => [1, 2, 3] }), 2)
  await client.ended(await client.create({ keywords: ['before'] }))

  process.kill(world.natsPid, 'SIGKILL')
  const job_id = await client.create({ keywords: ['after'] })

  await until('NATS was killed, and a job created meanwhile has completed', async () => {
    return (await client.job(job_id)).status === 'completed'
  })
}, 120_000)
