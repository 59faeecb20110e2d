import { setTimeout as sleep } from 'node:timers/promises'
import { referencesOf, type TaskDocument, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { expect, onTestFinished, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { FAST } from '../../harness/coordinator/fast.ts'
import { startAgentProcess, startCoordinatorProcess } from '../../harness/coordinator/processes.ts'
import { addCoordinator, startWorld, type World, withOwnNats } from '../../harness/coordinator/world.ts'
import { startBalancer } from '../../harness/network/balancer.ts'
import { until } from '../../harness/until.ts'

const runningTasks = (world: World) =>
  world.db.collection<TaskDocument>('tasks').find({ state: 'running' }).sort({ _id: 1 }).toArray()

test('after kill -9 of an agent its tasks run elsewhere', async () => {
  const outside = await startOutsideWorld({ seed: 5, places: 1_440, options: { latencyMs: { min: 300, max: 500 } } })
  onTestFinished(() => outside.close())
  const world = await startWorld()
  const { grpc, client } = await addCoordinator(world, {}, { timings: { ...FAST, brokenStreamMs: 500 } })
  const env = { MAPS_BASE_URL: outside.site.url, COLLECT_RUNG: 'http', AGENT_CONCURRENCY: '2' }
  const agent = startAgentProcess(world, grpc, env)
  const job_id = await client.create({ keywords: ['bakery'], max_results: 500 })
  await until('places are stored', async () => (await client.job(job_id)).result_count > 5)
  const dead = await until('the agent has searched, and collects two tasks', async () => {
    const tasks = await runningTasks(world)
    return tasks.length === 2 && tasks.every(({ kind }) => kind === 'collect') && tasks
  })

  const listed = await referencesOf(world.db).find({ job_id }).toArray()

  await agent.kill('SIGKILL')
  const { agent_id } = await addAgent(world, grpc, scriptedCollector({ find: () => [] }))

  expect(await client.ended(job_id)).toMatchObject({ status: 'completed', outcomes: { duplicate: 0 } })
  const ids = dead.map(({ _id }) => _id)
  const found = await tasksOf(world.db)
    .find({ _id: { $in: ids } })
    .toArray()
  const end = { agent_id: expect.stringContaining(agent_id), state: 'done' }
  expect(found).toEqual([expect.objectContaining(end), expect.objectContaining(end)])
  const keys = (await client.places(job_id)).map((place) => place.data_id)
  expect(keys.toSorted()).toEqual(listed.map(({ place_key }) => place_key).toSorted())
}, 120_000)

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
