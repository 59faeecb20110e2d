import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { afterAll, expect, test } from 'vitest'
import { startAgentProcess, startCoordinatorProcess } from '../harness/coordinator/processes.ts'
import { startWorld } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'

const KEYWORD = 'bakery'

/** Starts one city with slow pages, so that a job lasts seconds after a kill, and one coordinator for all jobs. */
const outside = await startOutsideWorld({ seed: 5, places: 480, options: { latencyMs: { min: 150, max: 250 } } })
afterAll(() => outside.close())
const world = await startWorld(afterAll)
const coordinator = await startCoordinatorProcess(world)

/** A job under way, and how far it is. */
async function startJob() {
  const env = { MAPS_BASE_URL: outside.site.url, COLLECT_RUNG: 'http', AGENT_CONCURRENCY: '2' }
  const startAgent = () => startAgentProcess(world, coordinator.grpc, env)
  const agent = startAgent()
  const id = await coordinator.client.create({ keywords: [KEYWORD], depth: 6, max_results: 500 })
  const stored = (count: number) =>
    until(`${count} places are stored`, async () => (await coordinator.client.job(id)).result_count >= count)
  return { ...outside, agent, startAgent, id, stored, client: coordinator.client }
}

type StartedJob = Awaited<ReturnType<typeof startJob>>

/** Fails unless the job completed with every place of the city, each once. */
async function expectEveryPlaceOnce({ client, id, city }: StartedJob): Promise<void> {
  expect(await client.ended(id, 90_000)).toMatchObject({ status: 'completed' })
  const keys = (await client.places(id)).map((place) => place.data_id)
  expect(keys.toSorted()).toEqual(city.keysOf(KEYWORD))
}

test('after kill -9 of the only agent a new one completes the job, without collecting stored places again', async () => {
  const job = await startJob()
  await job.stored(15)

  await job.agent.kill('SIGKILL')
  const storedThen = (await job.client.job(job.id)).result_count
  job.site.resetRequests()
  job.startAgent()

  await expectEveryPlaceOnce(job)
  // At most, since what the agent had sent when it died may be stored a moment later.
  const missing = job.city.keysOf(KEYWORD).length - storedThen
  expect(job.site.requests().kinds['place-payload'] ?? 0).toBeLessThanOrEqual(missing)
}, 120_000)

test('a stopping agent finishes or returns its tasks within ten seconds, without a spent attempt', async () => {
  const job = await startJob()
  await job.stored(10)

  const begun = performance.now()
  await job.agent.kill('SIGTERM')
  expect(performance.now() - begun).toBeLessThan(10_000)
  job.startAgent()

  await expectEveryPlaceOnce(job)
  const tasks = await world.db.collection('tasks').find({ job_id: job.id }).toArray()
  expect(tasks.map((task) => task.failures)).toEqual(tasks.map(() => 0))
}, 120_000)

test('after kill -9 of the coordinator its successor on the same data completes the job', async () => {
  const job = await startJob()
  await job.stored(15)

  await coordinator.kill('SIGKILL')
  await startCoordinatorProcess(world, coordinator.ports)

  await expectEveryPlaceOnce(job)
}, 120_000)
