import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addCollectingAgent } from '../harness/agents/collecting-agent.ts'
import { FAST } from '../harness/coordinator/fast.ts'
import { startAgentProcess } from '../harness/coordinator/processes.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'

/** The places that the site answers before the agent stops, so that this happens during the job. */
const FIRST_PLACES = 12

const opening = Promise.withResolvers<void>()
let answered = 0
const outside = await startOutsideWorld({
  seed: 5,
  places: 240,
  hold: async (kind) => {
    if (kind === 'place-payload' && ++answered > FIRST_PLACES) await opening.promise
  },
})
afterAll(() => outside.close())
const { site, city } = outside

const AGENT = { MAPS_BASE_URL: site.url, COLLECT_RUNG: 'http', AGENT_CONCURRENCY: '2' }

/** A stream that broke is given up soon. */
const SOON = { timings: { ...FAST, brokenStreamMs: 500 } }

test('a stopping agent finishes or returns its tasks in its time, without a spent attempt', async () => {
  const world = await startWorld()
  const { client, grpc } = await addCoordinator(world, {}, SOON)
  const agent = startAgentProcess(world, grpc, AGENT)
  onTestFinished(() => opening.resolve())
  const id = await client.create({ keywords: ['bakery'], depth: 6, max_results: 500 })
  await until('places are stored', async () => (await client.job(id)).result_count >= 5)

  // It ends itself with 1 when its ten seconds are over.
  const ending = agent.kill('SIGTERM')
  opening.resolve()
  expect(await ending).toBe(0)
  await addCollectingAgent(world, grpc, AGENT)

  expect(await client.ended(id, 90_000)).toMatchObject({ status: 'completed' })
  const keys = (await client.places(id)).map((place) => place.data_id)
  expect(keys.toSorted(), 'every place once').toEqual(city.keysOf('bakery'))
  const tasks = await world.db.collection('tasks').find({ job_id: id }).toArray()
  expect(tasks.map((task) => task.failures)).toEqual(tasks.map(() => 0))
}, 120_000)
