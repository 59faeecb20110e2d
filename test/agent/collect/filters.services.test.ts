import { matchesOf } from '@placefleet/deploy/simulation/map-site/city/search'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { expect, onTestFinished, test } from 'vitest'
import { addCollectingAgent } from '../../harness/agents/collecting-agent.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'

const SEED = 7
const PLACES = 480

test('a place that a filter drops costs no credits, and no request where the search decides', async () => {
  const { site, close } = await startOutsideWorld({ seed: SEED, places: PLACES, options: { gzip: false } })
  onTestFinished(close)
  const world = await startWorld()
  const { client, grpc } = await addCoordinator(world)
  await addCollectingAgent(world, grpc, { COLLECT_RUNG: 'http', MAPS_BASE_URL: site.url })
  const all = matchesOf(SEED, PLACES, 'bakery').map((index) => site.city.place(index))
  const rated = all.filter(({ rating = 0, review_count = 0 }) => rating >= 4.3 && review_count >= 50)
  const wanted = rated.filter(({ phone }) => phone !== undefined)
  expect(all.length).toBeGreaterThan(rated.length)
  expect(rated.length).toBeGreaterThan(wanted.length)

  const filters = {
    min_rating: 4.3,
    min_review_count: 50,
    has_phone: true,
    categories: ['BAKERY'],
    exclude_closed: true,
  }
  const id = await client.create({ keywords: ['bakery'], max_results: 500, ...filters })
  const job = await client.ended(id, 100_000)
  const filtered = all.length - wanted.length
  expect(job).toMatchObject({ status: 'completed', outcomes: { ok: wanted.length, filtered, limited: 0 } })
  expect(Number(job.total_cost)).toBeCloseTo(0.007 + wanted.length * 0.003, 6)
  const places = await client.places(id)
  expect(places.map(({ data_id }) => data_id).toSorted()).toEqual(wanted.map(({ data_id }) => data_id).toSorted())
  // A row without a phone does not tell whether the place has one.
  expect(site.requests().kinds['place-payload']).toBe(rated.length)

  // A place whose count the site hides is kept; one without a rating has no reviews.
  site.setOptions({ limited: true })
  const hidden = await client.create({ keywords: ['bakery'], max_results: 500, min_review_count: 50, fast_mode: true })
  const unrated = all.filter(({ rating }) => !rating).length
  const outcomes = { ok: all.length - unrated, filtered: unrated }
  expect(await client.ended(hidden, 100_000)).toMatchObject({ status: 'completed', outcomes })
  for (const { limited } of await client.places(hidden)) expect(limited).toEqual(['details'])
}, 200_000)
