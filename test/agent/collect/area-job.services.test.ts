import { matchesOf } from '@placefleet/deploy/simulation/map-site/city/search'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { metresBetween } from '@placefleet/shared/great-circle'
import { expect, onTestFinished, test } from 'vitest'
import { addCollectingAgent } from '../../harness/agents/collecting-agent.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'

const SEED = 11
const CENTRE = { latitude: 52.52, longitude: 13.405 }
const AREA = { lat: '52.52', lon: '13.405', radius: 4_000 }

test('a job over an area returns each place once, over all cells and keywords, and stops at its cap', async () => {
  const { site, city, close } = await startOutsideWorld({ seed: SEED, places: 3_000, options: { gzip: false } })
  onTestFinished(close)
  const world = await startWorld()
  const { client, grpc } = await addCoordinator(world)
  await addCollectingAgent(world, grpc, { COLLECT_RUNG: 'http', MAPS_BASE_URL: site.url })
  const inside = matchesOf(SEED, city.size, 'bakery').map((index) => city.details(index))
  const truth = inside.filter(({ location }) => {
    return metresBetween(CENTRE, { latitude: location.lat, longitude: location.lon }) <= AREA.radius
  })
  expect(truth.length).toBeGreaterThan(20)

  const whole = await client.create({
    keywords: ['bakery', 'bakeries'],
    max_results: 500,
    coverage: 'audited',
    ...AREA,
  })
  const job = await client.ended(whole, 100_000)
  const places = await client.places(whole)
  expect(job).toMatchObject({ status: 'completed', outcomes: { limited: 0 } })
  expect(places.map(({ data_id }) => data_id).toSorted()).toEqual(truth.map(({ ids }) => ids.dataId).toSorted())
  expect(job.outcomes.duplicate).toBeGreaterThanOrEqual(truth.length)

  const certificate = await client.call('GET', `/api/v1/jobs/${whole}/coverage`)
  const total = { total: truth.length, low: truth.length }
  expect(certificate.body).toMatchObject({ cells: { blocked: 0, unsearched: 0 }, found: truth.length, estimate: total })

  site.resetRequests()
  const capped = await client.create({ keywords: ['bakery'], max_results: 5, ...AREA })
  expect(await client.ended(capped, 100_000)).toMatchObject({ status: 'completed', result_count: 5 })
  expect(site.requests().kinds['search-payload']).toBeLessThanOrEqual(7)
}, 200_000)
