import { execFileSync } from 'node:child_process'
import { readAgentConfig } from '@placefleet/agent/config'
import { findUserByEmail } from '@placefleet/coordinator/accounts/store'
import { createSignInLink } from '@placefleet/coordinator/auth/links'
import { createDemoCity } from '@placefleet/deploy/standalone/demo-city'
import { expect, test } from 'vitest'
import { AGENT_TOKEN, addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'

/** Returns how many simulated cities this process has started and not stopped. */
const cities = (): number =>
  execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('simulation/main.ts')).length

test('the simulated city opens with the demo job of the first sign-in, and closes when the job has ended', async () => {
  const world = await startWorld()
  let grpc = ''
  const agentConfig = () =>
    readAgentConfig({ NATS_URL: world.natsAgentUrl, AGENT_TOKEN, COORDINATOR_GRPC: grpc, EXIT_RATE: '0' })
  const city = createDemoCity(agentConfig, world.log, { latencyMs: { min: 1, max: 5 }, idleMs: 300 })
  const coordinator = await addCoordinator(world, {}, city)
  grpc = coordinator.grpc
  world.life.own('city', city, (one) => one.close())
  const { url, client } = coordinator
  const owner = await findUserByEmail(world.db, 'owner@example.com')
  const link = await createSignInLink(world.db, owner?._id ?? '', url)

  const token = link.url.split('#link=')[1]
  expect((await client.call('POST', '/auth/link', { token })).status).toBe(204)

  const { body } = await client.call('GET', '/api/v1/jobs')
  const [job] = (body as { jobs: { id: string; demo: boolean }[] }).jobs
  expect(job?.demo).toBe(true)
  await until('the city is open', () => cities() === 1)
  expect(await client.ended(job?.id ?? '', 60_000)).toMatchObject({ status: 'completed', total_cost: '0.000000' })
  await until('the city is closed', () => cities() === 0)
})
