import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskDocument } from '@placefleet/coordinator/tasks/documents'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { natsServers, TASK_STREAM } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { expect, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { FAST } from '../../harness/coordinator/fast.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
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

test('when a coordinator stops, its agents continue with another one and with a restarted one', async () => {
  const world = await startWorld()
  const first = await addCoordinator(world)
  const { collector } = countingCollector(() => range(60), 40)
  await addAgent(world, first.grpc, collector)
  const id = await first.client.create({ keywords: ['one'], max_results: 500 })
  await until('some places are stored', async () => (await first.client.job(id)).result_count >= 5)

  await first.close()
  const second = await addCoordinator(world, first.ports)

  expect(await second.client.ended(id)).toMatchObject({ status: 'completed', result_count: 60 })
})

test('a vanished agent is replaced, and stored places are not collected again', async () => {
  const world = await startWorld()
  const { grpc, client } = await addCoordinator(world)
  const network = await startCuttableProxy(grpc)
  const lost = createLifecycle(world.log)
  world.life.own('lost agent', lost, (life) => life.close())
  const frozen = countingCollector(() => range(40), 30)
  const vanishing = await addAgent({ ...world, life: lost }, network.address, frozen.collector)
  const id = await client.create({ keywords: ['one'], max_results: 500 })
  await until('some places are stored', async () => (await client.job(id)).result_count >= 15)

  const stored = new Set((await client.places(id)).map((place) => place.data_id))
  void vanishing.drain()
  network.close()
  const { collector, collected } = countingCollector(() => range(40), 1)
  await addAgent(world, grpc, collector)

  expect(await client.ended(id)).toMatchObject({ status: 'completed', result_count: 40 })
  expect([...collected.keys()].filter((key) => stored.has(key))).toEqual([])
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
