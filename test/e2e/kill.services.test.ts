import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { afterAll, expect, test } from 'vitest'
import { addCollectingAgent } from '../harness/agents/collecting-agent.ts'
import { startAgentProcess, startCoordinatorProcess } from '../harness/coordinator/processes.ts'
import { addCoordinator, startWorld, type TestCoordinator } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'

const KEYWORD = 'bakery'

/** Slow pages until a kill, so that it comes during the job. */
const SLOW = { min: 400, max: 500 }
const FAST = { min: 0, max: 0 }

const outside = await startOutsideWorld({ seed: 5, places: 240 })
afterAll(() => outside.close())
const { site, city } = outside
const world = await startWorld(afterAll)

const AGENT = { MAPS_BASE_URL: site.url, COLLECT_RUNG: 'http', AGENT_CONCURRENCY: '2' }

type Client = TestCoordinator['client']

/** Creates a job on slow pages, and waits until some of its places are stored. */
async function startJob(client: Client): Promise<string> {
  site.setOptions({ latencyMs: SLOW })
  const id = await client.create({ keywords: [KEYWORD], depth: 6, max_results: 500 })
  await until('places are stored', async () => (await client.job(id)).result_count >= 5)
  return id
}

/** Fails unless the job completed with every place of the city, each once. */
async function expectEveryPlaceOnce(client: Client, id: string): Promise<void> {
  expect(await client.ended(id, 90_000)).toMatchObject({ status: 'completed' })
  const keys = (await client.places(id)).map((place) => place.data_id)
  expect(keys.toSorted()).toEqual(city.keysOf(KEYWORD))
}

test('after kill -9 of the only agent a new one completes the job, without collecting stored places again', async () => {
  const { client, grpc, close } = await addCoordinator(world)
  const agent = startAgentProcess(world, grpc, AGENT)
  const id = await startJob(client)

  await agent.kill('SIGKILL')
  const storedThen = (await client.job(id)).result_count
  expect(storedThen).toBeLessThan(city.keysOf(KEYWORD).length)
  site.resetRequests()
  site.setOptions({ latencyMs: FAST })
  const successor = await addCollectingAgent(world, grpc, AGENT)

  await expectEveryPlaceOnce(client, id)
  // At most, since what the agent had sent when it died may be stored a moment later.
  const missing = city.keysOf(KEYWORD).length - storedThen
  expect(site.requests().kinds['place-payload'] ?? 0).toBeLessThanOrEqual(missing)
  await successor.close()
  await close()
}, 120_000)

test('a stopping agent finishes or returns its tasks in its time, without a spent attempt', async () => {
  const { client, grpc, close } = await addCoordinator(world)
  const agent = startAgentProcess(world, grpc, AGENT)
  const id = await startJob(client)

  // It ends itself with 1 when its ten seconds are over.
  expect(await agent.kill('SIGTERM')).toBe(0)
  site.setOptions({ latencyMs: FAST })
  const successor = await addCollectingAgent(world, grpc, AGENT)

  await expectEveryPlaceOnce(client, id)
  const tasks = await world.db.collection('tasks').find({ job_id: id }).toArray()
  expect(tasks.map((task) => task.failures)).toEqual(tasks.map(() => 0))
  await successor.close()
  await close()
}, 120_000)

test('after kill -9 of the coordinator its successor on the same data completes the job', async () => {
  const coordinator = await startCoordinatorProcess(world)
  await addCollectingAgent(world, coordinator.grpc, AGENT)
  const id = await startJob(coordinator.client)

  await coordinator.kill('SIGKILL')
  site.setOptions({ latencyMs: FAST })
  await startCoordinatorProcess(world, coordinator.ports)

  await expectEveryPlaceOnce(coordinator.client, id)
}, 120_000)
