import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { expect, onTestFinished, test } from 'vitest'
import { addCollectingAgent } from '../../harness/agents/collecting-agent.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { keysWithin } from './collecting.ts'

/** Starts a city, and a coordinator with an agent that collects it over plain HTTP. */
async function worldWith(places: number) {
  const { site, city, close } = await startOutsideWorld({ seed: 7, places, options: { gzip: false } })
  onTestFinished(close)
  const world = await startWorld()
  const { client, grpc } = await addCoordinator(world)
  await addCollectingAgent(world, grpc, { COLLECT_RUNG: 'http', MAPS_BASE_URL: site.url })
  const keysIn = async (id: string) => (await client.places(id)).map(({ data_id }) => data_id).toSorted()
  return { site, city, client, keysIn }
}

test('a job over an area returns each place once, over all cells and keywords, and stops at its cap', async () => {
  const { site, city, client, keysIn } = await worldWith(3_000)
  const area = { lat: '52.52', lon: '13.405', radius: 4_000 }
  const truth = keysWithin(city, area.radius)
  expect(truth.length).toBeGreaterThan(20)

  const keywords = ['bakery', 'bakeries']
  const whole = await client.create({ keywords, max_results: 500, coverage: 'audited', ...area })
  const job = await client.ended(whole, 100_000)
  expect(job).toMatchObject({ status: 'completed', outcomes: { limited: 0 } })
  expect(await keysIn(whole)).toEqual(truth)
  expect(job.outcomes.duplicate).toBeGreaterThanOrEqual(truth.length)

  const certificate = await client.call('GET', `/api/v1/jobs/${whole}/coverage`)
  const total = { total: truth.length, low: truth.length }
  expect(certificate.body).toMatchObject({ cells: { blocked: 0, unsearched: 0 }, found: truth.length, estimate: total })

  site.resetRequests()
  const capped = await client.create({ keywords: ['bakery'], max_results: 5, ...area })
  expect(await client.ended(capped, 100_000)).toMatchObject({ status: 'completed', result_count: 5 })
  expect(site.requests().kinds['search-payload']).toBeLessThanOrEqual(7)
}, 200_000)

test('a place that a filter drops costs no credits, and no request where the search decides', async () => {
  const { site, city, client, keysIn } = await worldWith(480)
  const all = city.keysOf('bakery').map((key) => city.place(city.indexOf(key) ?? -1))
  const rated = all.filter(({ rating = 0, review_count = 0 }) => rating >= 4.3 && review_count >= 50)
  const wanted = rated.filter(({ phone }) => phone !== undefined)
  expect(all.length).toBeGreaterThan(rated.length)
  expect(rated.length).toBeGreaterThan(wanted.length)

  const usual = { keywords: ['bakery'], max_results: 500, min_review_count: 50 }
  const filters = { min_rating: 4.3, has_phone: true, categories: ['BAKERY'], exclude_closed: true }
  const id = await client.create({ ...usual, ...filters })
  const job = await client.ended(id, 100_000)
  const filtered = all.length - wanted.length
  expect(job).toMatchObject({ status: 'completed', outcomes: { ok: wanted.length, filtered, limited: 0 } })
  expect(Number(job.total_cost)).toBeCloseTo(0.007 + wanted.length * 0.003, 6)
  expect(await keysIn(id)).toEqual(wanted.map(({ place_key }) => place_key).toSorted())
  // A row without a phone does not tell whether the place has one.
  expect(site.requests().kinds['place-payload']).toBe(rated.length)

  // A place whose count the site hides is kept; one without a rating has no reviews.
  site.setOptions({ limited: true })
  const hidden = await client.create({ ...usual, fast_mode: true })
  const unrated = all.filter(({ rating }) => !rating).length
  const outcomes = { ok: all.length - unrated, filtered: unrated }
  expect(await client.ended(hidden, 100_000)).toMatchObject({ status: 'completed', outcomes })
  for (const { limited } of await client.places(hidden)) expect(limited).toEqual(['details'])
}, 200_000)
