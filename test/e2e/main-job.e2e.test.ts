import { findChromium } from '@placefleet/agent/browser/find-chromium'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addCollectingAgent } from '../harness/agents/collecting-agent.ts'
import { ownChromium } from '../harness/chromiums.ts'
import { startAgentProcess } from '../harness/coordinator/processes.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'
import { volume } from '../harness/volume.ts'

/** The whole product on a simulated city with a changeable site. Agents that start Chromium are separate processes. */
const outside = await startOutsideWorld({ seed: 11, places: 300 })
afterAll(() => outside.close())
/** For Chromium, which reads a place in a second. */
const town = await startOutsideWorld({ seed: 11, places: 60 })
afterAll(() => town.close())
const world = await startWorld(afterAll)
const { client, grpc } = await addCoordinator(world)
const { executablePath: CHROMIUM_PATH, env: chromiumEnv } = await findChromium({ env: ownChromium() })

const CALM = { consent: false, placePages: 'request', blockPlainHttp: false } as const

/** Returns what a job brings on a calm site. */
function collectFrom({ site }: typeof outside) {
  site.setOptions(CALM)
  return async (request: Record<string, unknown>) => {
    site.resetRequests()
    const id = await client.create({ max_results: 500, ...request })
    const job = await client.ended(id, 100_000)
    const places = job.status === 'failed' ? [] : await client.places(id)
    return { job, keys: places.map((place) => place.data_id).toSorted() }
  }
}

test('a job uses the browser where the map site blocks plain HTTP, and returns exactly the places of the city', async () => {
  const { site, city } = town
  startAgentProcess(world, grpc, { COLLECT_RUNG: 'auto', MAPS_BASE_URL: site.url, CHROMIUM_PATH, ...chromiumEnv })
  const collect = collectFrom(town)

  site.setOptions({ blockPlainHttp: true })
  const climbed = await collect({ keywords: ['gym in Berlin'], depth: 2 })
  expect(climbed).toMatchObject({ job: { status: 'completed' }, keys: city.keysOf('gym in Berlin') })
  expect(site.requests().kinds['search-page']).toBeGreaterThan(0)
}, 240_000)

test('on the HTTP rung a job returns exactly the places of the city, each once, for any page of the site', async () => {
  const { site, city } = outside
  const agent = await addCollectingAgent(world, grpc, { COLLECT_RUNG: 'http', MAPS_BASE_URL: site.url })
  onTestFinished(() => agent.close())
  const collect = collectFrom(outside)
  const truth = city.keysOf('bakery')
  const jobs: [string, Partial<SiteOptions>, { fast_mode?: boolean }][] = [
    // First, while the agent has no cookie: the site asks for consent once.
    ['behind a consent wall', { consent: true }, {}],
    ['in normal mode', {}, {}],
    ['of a map site whose pages hold their payload', { placePages: 'embed' }, {}],
    ['in fast mode', {}, { fast_mode: true }],
  ]
  for (const [name, options, request] of jobs.slice(0, volume(2, jobs.length))) {
    site.setOptions({ ...CALM, ...options })

    const { job, keys } = await collect({ keywords: ['bakery'], ...request })

    expect.soft({ name, status: job.status, keys }).toEqual({ name, status: 'completed', keys: truth })
    expect.soft(job.outcomes.ok, name).toBe(keys.length)
  }

  site.setOptions({ ...CALM, blockPlainHttp: true })
  const id = await client.create({ keywords: ['bakery'], depth: 1 })
  await until('the job waits', async () => (await client.job(id)).progress.waiting_reason === 'blocked')
  // The deadline is counted anew from the start when the rest of the exit changes.
  await jobsOf(world.db).updateOne({ _id: id }, { $set: { started_at: new Date(0), deadline_at: new Date(0) } })
  const job = await client.ended(id)
  expect(job).toMatchObject({ status: 'failed', failure_reason: expect.stringMatching(/^blocked: /) })
}, 240_000)
