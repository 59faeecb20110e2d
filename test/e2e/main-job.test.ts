import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { expect, onTestFinished, test } from 'vitest'
import { startAgentProcess, startCoordinatorProcess } from '../harness/coordinator/processes.ts'
import { startWorld } from '../harness/coordinator/world.ts'

/** The whole product, each part a process of its own, before a simulated city. */
async function startProduct(rung: 'auto' | 'http' | 'browser', options: Partial<SiteOptions> = {}) {
  const outside = await startOutsideWorld({ seed: 11, places: 480, options })
  onTestFinished(() => outside.close())
  const world = await startWorld()
  const { client, grpc } = await startCoordinatorProcess(world)
  const agent = startAgentProcess(world, grpc, { COLLECT_RUNG: rung, MAPS_BASE_URL: outside.site.url })
  const collect = async (request: Record<string, unknown>) => {
    const id = await client.create({ max_results: 500, ...request })
    const job = await client.ended(id, 100_000)
    const places = job.status === 'failed' ? [] : await client.places(id)
    return { job, keys: places.map((place) => place.data_id) }
  }
  return { ...outside, collect, agent }
}

test.each([
  ['a normal job on the HTTP rung', 'http', {}],
  ['a fast job', 'http', { fast_mode: true }],
  [
    'a normal job in which the map site blocks plain HTTP until it has seen a browser',
    'auto',
    {},
    { blockPlainHttp: 'until-browser-cookie' },
  ],
  ['a normal job on a map site of 2023', 'http', {}, { vintage: '2023' }],
  ['a normal job behind a consent wall', 'http', {}, { consent: true }],
] as const)(
  '%s returns exactly the places of the city, each once',
  async (_, rung, request, options: Partial<SiteOptions> = {}) => {
    const { collect, city } = await startProduct(rung, options)

    const { job, keys } = await collect({ keywords: ['bakery'], ...request })

    expect(job).toMatchObject({ status: 'completed' })
    expect(keys.toSorted()).toEqual(city.keysOf('bakery'))
    expect(job.outcomes.ok).toBe(keys.length)
  },
  120_000,
)

test.each([
  ['on the browser rung', 'browser', {}],
  ['that climbs to the browser because the map site blocks all plain HTTP', 'auto', { blockPlainHttp: 'always' }],
] as const)(
  'a job %s returns exactly the places of the city, each once',
  async (_, rung, options) => {
    const { collect, city, site } = await startProduct(rung, options)

    const { job, keys } = await collect({ keywords: ['gym in Berlin'], depth: 2 })

    expect(job).toMatchObject({ status: 'completed' })
    expect(keys.toSorted()).toEqual(city.keysOf('gym in Berlin'))
    expect(site.requests().kinds['search-page']).toBeGreaterThan(0)
  },
  120_000,
)

test('a job that is blocked up to its end waits, and then fails and says so', async () => {
  const { collect } = await startProduct('http', { blockPlainHttp: 'always' })

  const { job } = await collect({ keywords: ['bakery'], depth: 1, max_time: 60 })

  expect(job.status).toBe('failed')
  expect(job.failure_reason).toMatch(/^blocked: /)
}, 120_000)
