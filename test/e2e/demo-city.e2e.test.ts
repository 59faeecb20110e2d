import { readAgentConfig } from '@placefleet/agent/config'
import { findUserByEmail } from '@placefleet/coordinator/accounts/store'
import { createSignInLink } from '@placefleet/coordinator/auth/links'
import { JobList } from '@placefleet/coordinator/jobs/schema'
import { createDemoCity } from '@placefleet/deploy/standalone/demo-city'
import { expect, test } from 'vitest'
import { AGENT_TOKEN, addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { procText, runningProcesses } from '../harness/running-processes.ts'
import { until } from '../harness/until.ts'

/** Returns how many simulated cities this process has started and not stopped. */
const cities = (): number =>
  runningProcesses().filter(
    ({ pid, parent }) => parent === process.pid && procText(pid, 'cmdline').includes('simulation/main.ts'),
  ).length

/** Starts a coordinator with a simulated city that closes soon after its last task. */
async function startWithCity() {
  const world = await startWorld()
  let grpc = ''
  const agentConfig = () =>
    readAgentConfig({ NATS_URL: world.natsAgentUrl, AGENT_TOKEN, COORDINATOR_GRPC: grpc, EXIT_RATE: '0' })
  const city = createDemoCity(agentConfig, world.log, { latencyMs: { min: 1, max: 5 }, idleMs: 300 })
  const coordinator = await addCoordinator(world, {}, { demoCity: city })
  grpc = coordinator.grpc
  world.life.own('city', city, (one) => one.close())
  return { world, ...coordinator }
}

test('the simulated city opens with the demo job of the first sign-in, and closes when the job has ended', async () => {
  const { world, url, client } = await startWithCity()
  const owner = await findUserByEmail(world.db, 'owner@example.com')
  const link = await createSignInLink(world.db, owner?._id ?? '', url)

  const token = link.url.split('#link=')[1]
  expect((await client.call('POST', '/auth/link', { token })).status).toBe(204)

  const { body } = await client.call('GET', '/api/v1/jobs')
  const { jobs } = JobList.parse(body)
  const [job] = jobs
  expect(job?.data.demo).toBe(true)
  await until('the city is open', () => cities() === 1)
  expect(await client.ended(job?.id ?? '', 60_000)).toMatchObject({ status: 'completed', total_cost: '0.000000' })
  await until('the city is closed', () => cities() === 0)
})

test('after it closed the city opens again: for a free job of any keyword, whose invented places are not known, and for a monitor', async () => {
  const { client } = await startWithCity()
  const job = { name: 'hotels', keywords: ['hotel'], language: 'en', max_results: 20, max_time: 300, demo: true }
  const estimates = await client.call('POST', '/api/v1/jobs/estimates', job)
  expect(estimates.body).toMatchObject({ estimate: { total: 0, total_max: 0 } })

  const ended = await client.ended(await client.create(job), 60_000)
  expect(ended).toMatchObject({ status: 'completed', result_count: 20, total_cost: '0.000000' })
  await until('the city is closed', () => cities() === 0)
  const { body: known } = await client.call('GET', '/api/v1/known-places?limit=100')
  expect(known).toEqual({ known_places: [], has_more: false })

  const monitor = await client.call('POST', '/api/v1/monitors', { name: 'hotels', job, schedule: { every: '1d' } })
  const { id } = monitor.body as { id: string }
  const run = await client.call('POST', `/api/v1/monitors/${id}/run`)
  const { job_id } = run.body as { job_id: string }
  const again = await client.ended(job_id, 60_000)
  expect(again).toMatchObject({ status: 'completed', monitor_id: id, total_cost: '0.000000' })
})

test('a deployment without a simulated city refuses a demo job and says where there is one', async () => {
  const world = await startWorld()
  const { client } = await addCoordinator(world)
  const job = { name: 'hotels', keywords: ['hotel'], language: 'en', demo: true }
  expect(await client.call('POST', '/api/v1/jobs', job)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('Only `npm start` has one'), details: [{ path: 'demo' }] },
  })
})
