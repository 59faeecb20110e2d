import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addCollectingAgent } from '../harness/agents/collecting-agent.ts'
import { FAST } from '../harness/coordinator/fast.ts'
import { startAgentProcess, startCoordinatorProcess } from '../harness/coordinator/processes.ts'
import { addCoordinator, startWorld, type TestCoordinator } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'
import { secondLook } from '../harness/volume.ts'

const KEYWORD = 'bakery'

/** The places that the site answers before it waits for the kill, which so comes during the job. */
const FIRST_PLACES = 12

/** Lets the first places through, and the others once it is opened. */
function createGate() {
  let answered = 0
  let opening = Promise.withResolvers<void>()
  return {
    hold: async (kind: string) => {
      if (kind === 'place-payload' && ++answered > FIRST_PLACES) await opening.promise
    },
    open: () => opening.resolve(),
    shut() {
      answered = 0
      opening = Promise.withResolvers()
    },
  }
}

const gate = createGate()
const outside = await startOutsideWorld({ seed: 5, places: 240, hold: gate.hold })
afterAll(() => outside.close())
const { site, city } = outside

const AGENT = { MAPS_BASE_URL: site.url, COLLECT_RUNG: 'http', AGENT_CONCURRENCY: '2' }

/** A stream that broke is given up soon. */
const SOON = { timings: { ...FAST, brokenStreamMs: 500 } }

type Client = TestCoordinator['client']

/** Creates a job, and waits until some of its places are stored. It ends once the gate is open. */
async function startJob(client: Client): Promise<string> {
  gate.shut()
  onTestFinished(gate.open)
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

// With scripted agents: coordinator/fleet/recovery.services.test.ts and takeover.services.test.ts.
secondLook(
  'after kill -9 of the only agent a new one completes the job, without collecting stored places again',
  async () => {
    const world = await startWorld()
    const { client, grpc } = await addCoordinator(world, {}, SOON)
    const agent = startAgentProcess(world, grpc, AGENT)
    const id = await startJob(client)

    await agent.kill('SIGKILL')
    const storedThen = (await client.job(id)).result_count
    expect(storedThen).toBeLessThan(city.keysOf(KEYWORD).length)
    site.resetRequests()
    gate.open()
    await addCollectingAgent(world, grpc, AGENT)

    await expectEveryPlaceOnce(client, id)
    // At most, since what the agent had sent when it died may be stored a moment later.
    const missing = city.keysOf(KEYWORD).length - storedThen
    expect(site.requests().kinds['place-payload'] ?? 0).toBeLessThanOrEqual(missing)
  },
  120_000,
)

test('a stopping agent finishes or returns its tasks in its time, without a spent attempt', async () => {
  const world = await startWorld()
  const { client, grpc } = await addCoordinator(world, {}, SOON)
  const agent = startAgentProcess(world, grpc, AGENT)
  const id = await startJob(client)

  // It ends itself with 1 when its ten seconds are over.
  const ending = agent.kill('SIGTERM')
  gate.open()
  expect(await ending).toBe(0)
  await addCollectingAgent(world, grpc, AGENT)

  await expectEveryPlaceOnce(client, id)
  const tasks = await world.db.collection('tasks').find({ job_id: id }).toArray()
  expect(tasks.map((task) => task.failures)).toEqual(tasks.map(() => 0))
}, 120_000)

secondLook(
  'after kill -9 of the coordinator its successor on the same data completes the job',
  async () => {
    const world = await startWorld()
    const coordinator = await startCoordinatorProcess(world)
    await addCollectingAgent(world, coordinator.grpc, AGENT)
    const id = await startJob(coordinator.client)

    await coordinator.kill('SIGKILL')
    gate.open()
    await addCoordinator(world, coordinator.ports)

    await expectEveryPlaceOnce(coordinator.client, id)
  },
  120_000,
)
