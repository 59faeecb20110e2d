import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { expect, onTestFinished, test } from 'vitest'
import { addCollectingAgent } from '../harness/agents/collecting-agent.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'

test('a block during a job without proxies delays it and costs nothing: only canaries are sent', async () => {
  const outside = await startOutsideWorld({ seed: 11, places: 240, options: { latencyMs: { min: 300, max: 400 } } })
  onTestFinished(() => outside.close())
  const { site, city } = outside
  const world = await startWorld()
  const { client, grpc } = await addCoordinator(world)
  await addCollectingAgent(world, grpc, { COLLECT_RUNG: 'http', MAPS_BASE_URL: site.url, AGENT_CONCURRENCY: '1' })
  const id = await client.create({ keywords: ['bakery'], max_results: 500 })
  await until('places are stored', async () => (await client.job(id)).result_count > 0)

  site.setOptions({ blocked: 'everyone' })
  await until('the job waits', async () => (await client.job(id)).progress.waiting_reason === 'blocked', 80_000)
  site.resetRequests()
  await until('a canary was refused', () => (site.requests().kinds['maps-page'] ?? 0) > 0, 80_000)
  const asked = Object.keys(site.requests().kinds)
  expect(asked.filter((kind) => kind !== 'maps-page' && kind !== 'sorry')).toEqual([])
  expect(await client.job(id)).toMatchObject({ status: 'running' })
  site.setOptions({ blocked: [], latencyMs: { min: 0, max: 0 } })

  const job = await client.ended(id, 100_000)
  const places = await client.places(id)
  expect(job).toMatchObject({ status: 'completed' })
  expect(job.partial).toBeUndefined()
  expect(job.progress.waiting_reason).toBeUndefined()
  expect(places.map(({ data_id }) => data_id).toSorted()).toEqual(city.keysOf('bakery'))
  const tasks = await world.db.collection<{ failures: number }>('tasks').find().toArray()
  expect(tasks.reduce((sum, { failures }) => sum + failures, 0)).toBe(0)
}, 300_000)
