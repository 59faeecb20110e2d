import { creditString, DEFAULT_PRICES } from '@placefleet/coordinator/billing/cost'
import { matchesOf } from '@placefleet/deploy/simulation/map-site/city/search'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { metresBetween } from '@placefleet/shared/great-circle'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addCollectingAgent } from '../harness/agents/collecting-agent.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'

const SEED = 11
const CENTRE = { latitude: 52.52, longitude: 13.405 }
const AREA = { lat: '52.52', lon: '13.405', radius: 4_500 }

/** The most places of a job. */
const CAP = 12

const outside = await startOutsideWorld({ seed: SEED, places: 3_000, options: { gzip: false, flicker: 0.46 } })
afterAll(() => outside.close())
const { site, city } = outside
const world = await startWorld(afterAll)
const { client, grpc } = await addCoordinator(world)

const truth = matchesOf(SEED, city.size, 'bakery')
  .map((index) => city.details(index))
  .filter(({ location }) => metresBetween(CENTRE, { latitude: location.lat, longitude: location.lon }) <= AREA.radius)
  .map(({ ids }) => ids.dataId)

const Run = z.looseObject({
  state: z.string(),
  series: z.looseObject({
    jobs: z.array(z.string()),
    found: z.number(),
    cost: z.string(),
    ended: z.string().optional(),
    estimate: z.looseObject({ total: z.number(), low: z.number(), high: z.number() }).optional(),
  }),
})

const Runs = z.looseObject({ runs: z.array(z.looseObject({ state: z.string() })) })

/** Runs a monitor that exhausts the area, and returns its run and the keys of the places of each of its jobs. */
async function exhaust() {
  const job = { name: 'bakeries', keywords: ['bakery'], language: 'en', max_results: CAP, ...AREA }
  const monitor = { name: 'all bakeries', job, schedule: { every: '7d' }, exhaust: true }
  const created = await client.call('POST', '/api/v1/monitors', monitor)
  expect(created.status).toBe(201)
  const { id } = z.looseObject({ id: z.string() }).parse(created.body)
  expect((await client.call('POST', `/api/v1/monitors/${id}/run`)).status).toBe(201)
  const ended = await until(
    'the series has ended',
    async () => {
      const { body } = await client.call('GET', `/api/v1/monitors/${id}/runs`)
      const [latest] = Runs.parse(body).runs
      return latest !== undefined && latest.state !== 'started' && latest
    },
    150_000,
  )
  const { state, series } = Run.parse(ended)
  const keys: string[][] = []
  for (const job_id of series.jobs) keys.push((await client.places(job_id)).map(({ data_id }) => String(data_id)))
  return { state, series, keys }
}

test('a series of jobs finds nearly all places of an area, stores and bills each once, and says that it is exhausted', async () => {
  expect(truth.length).toBeGreaterThan(3 * CAP)
  await addCollectingAgent(world, grpc, { COLLECT_RUNG: 'http', MAPS_BASE_URL: site.url })

  const { state, series, keys } = await exhaust()

  const found = keys.flat()
  expect({ state, series }).toMatchObject({ state: 'completed', series: { ended: 'exhausted', found: found.length } })
  expect(new Set(found).size).toBe(found.length)
  expect(truth).toEqual(expect.arrayContaining(found))
  expect(found.length).toBeGreaterThanOrEqual(truth.length - 1)
  expect(series.jobs.length).toBeGreaterThan(3)
  for (const ofJob of keys) expect(ofJob.length).toBeLessThanOrEqual(CAP)
  const { job_start, place_scraped } = DEFAULT_PRICES
  expect(series.cost).toBe(creditString(series.jobs.length * job_start + found.length * place_scraped))
  expect(series.estimate?.high).toBeGreaterThanOrEqual(truth.length)
}, 200_000)
