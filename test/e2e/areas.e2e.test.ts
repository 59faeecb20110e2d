import { CoverageCells } from '@placefleet/coordinator/coverage/schema'
import { matchesOf } from '@placefleet/deploy/simulation/map-site/city/search'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { afterAll, expect, test } from 'vitest'
import { addCollectingAgent } from '../harness/agents/collecting-agent.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { closed, polygon, square } from '../shared/area/shapes.ts'

const SEED = 11

const outside = await startOutsideWorld({ seed: SEED, places: 2_400, options: { gzip: false } })
afterAll(() => outside.close())
const world = await startWorld(afterAll)
const { client, grpc } = await addCoordinator(world)
await addCollectingAgent(world, grpc, { COLLECT_RUNG: 'http', MAPS_BASE_URL: outside.site.url })

const bakeries = matchesOf(SEED, outside.city.size, 'bakery').map((index) => outside.city.details(index))

/** The keys of the bakeries whose position is so, sorted. */
const keysWhere = (isInside: (lon: number, lat: number) => boolean): string[] =>
  bakeries
    .filter(({ location: { lon, lat } }) => isInside(lon, lat))
    .map(({ ids }) => ids.dataId)
    .sort()

const between = (value: number, from: number, to: number) => value >= from && value <= to

/** Runs a job and returns it, with the keys of its places, sorted. */
async function collect(fields: object) {
  const id = await client.create({ keywords: ['bakery'], max_results: 500, fast_mode: true, ...fields })
  const job = await client.ended(id, 200_000)
  expect(job.status).toBe('completed')
  return { id, job, keys: (await client.places(id)).map(({ data_id }) => String(data_id)).sort() }
}

/** The corners of each cell of a job. */
async function cellsOf(id: string): Promise<number[][][]> {
  const { body } = await client.call('GET', `/api/v1/jobs/${id}/coverage?format=geojson`)
  return CoverageCells.parse(body).features.map(({ geometry }) => geometry?.coordinates.flat() ?? [])
}

const ANNULUS = { area: polygon(square(13.36, 52.48, 0.1), square(13.39, 52.51, 0.04)) }
const inAnnulus = keysWhere(
  (lon, lat) =>
    between(lon, 13.36, 13.46) &&
    between(lat, 52.48, 52.58) &&
    !(lon > 13.39 && lon < 13.43 && lat > 52.51 && lat < 52.55),
)

test('a job stores exactly the places of a polygon with a hole, and searches no cell within the hole alone', async () => {
  expect(inAnnulus.length).toBeGreaterThan(20)
  const { id, job, keys } = await collect(ANNULUS)
  expect(keys).toEqual(inAnnulus)
  expect(job.outcomes.out_of_area).toBeGreaterThan(0)
  expect(job.data).toMatchObject({ ...ANNULUS, coverage: 'cells', lat: '', lon: '' })

  const cells = await cellsOf(id)
  expect(cells.length).toBeGreaterThan(0)
  for (const cell of cells) {
    expect(cell.every(([lon = 0, lat = 0]) => lon > 13.39 && lon < 13.43 && lat > 52.51 && lat < 52.55)).toBe(false)
  }
}, 240_000)

test('an area over the date line is clipped exactly, however it is written', async () => {
  const inside = keysWhere((lon, lat) => lon <= 13.4 && lat >= 52.5)
  expect(inside.length).toBeGreaterThan(20)
  const halves = [
    [100, 180],
    [-180, 13.4],
  ].map(([west = 0, east = 0]) => [
    closed([
      [west, 52.5],
      [east, 52.5],
      [east, 60],
      [west, 60],
    ]),
  ])
  for (const fields of [{ bbox: [100, 52.5, 13.4, 60] }, { area: { type: 'MultiPolygon', coordinates: halves } }]) {
    const { id, keys } = await collect(fields)
    expect(keys).toEqual(inside)
    const longitudes = (await cellsOf(id)).flat().map(([lon = 0]) => lon)
    expect(Math.min(...longitudes)).toBeCloseTo(100, 3)
    expect(Math.max(...longitudes)).toBeCloseTo(373.4, 3)
  }
}, 240_000)

test('an area far from all places has none, and is searched with few requests', async () => {
  outside.site.resetRequests()
  const { job, keys } = await collect({ bbox: [179, -18, -179, -16] })
  expect(keys).toEqual([])
  expect(job.result_count).toBe(0)
  expect(outside.site.requests().kinds['search-payload']).toBeLessThanOrEqual(4)
}, 120_000)
