import { failureOf } from '@placefleet/coordinator/fleet/run-task'
import { expect, test } from 'vitest'
import { addCollectingAgent } from '../../harness/agents/collecting-agent.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { runOpsHere } from '../operator/commands/run-ops.ts'

const SENTENCE = 'the host name could not be resolved; check the network and the name servers of this machine'

test("operators see a failed task with its agent and the agent's own words; the user sees the failure_reason", async () => {
  const world = await startWorld()
  const coordinator = await addCoordinator(world)
  await addCollectingAgent(world, coordinator.grpc, {
    AGENT_NAME: 'shop-3',
    MAPS_BASE_URL: 'http://maps.invalid',
    COLLECT_RUNG: 'http',
  })
  const { call, create, ended } = coordinator.client
  const job_id = await create({ keywords: ['bakery'] })
  const job = await ended(job_id, 60_000)
  expect(job).toMatchObject({ status: 'failed', failure_reason: expect.stringMatching(/^source_unavailable: /) })
  expect(JSON.stringify(job)).not.toContain(SENTENCE)

  const attempt = {
    agent: 'shop-3',
    reason: 'source_unavailable',
    detail: expect.stringMatching(`^${SENTENCE} \\(getaddrinfo .*maps\\.invalid\\)$`),
  }
  const task = { job_id, attempts: [attempt, attempt, attempt] }
  expect((await call('GET', '/api/v1/admin/tasks/dead')).body).toMatchObject({ tasks: [task] })
  expect((await call('GET', '/api/v1/admin/doctor')).body).toMatchObject({ failed_tasks: [task] })
  const env = { MONGODB_URL: world.mongoUrl, NATS_URL: world.natsUrl }
  const { out } = await runOpsHere(['doctor'], env)
  expect(out).toMatch(/^WARN failures +1 task failed in the last hour; the last one \d+ s ago$/m)
  expect(out).toContain(`1 task failed in the last hour, the last one on agent shop-3: source_unavailable: ${SENTENCE}`)
  expect(out).toMatch(new RegExp(`Z  shop-3  job ${job_id}\n    source_unavailable: ${SENTENCE} \\(.*\\)$`, 'm'))
  const json: unknown = JSON.parse((await runOpsHere(['doctor', '--json'], env)).out)
  expect(json).toMatchObject({ healthy: true, failed_tasks: [task] })
}, 120_000)

test('what an agent says about a failure is bounded, on one line and without a login', () => {
  const failed = { code: 'nonsense', message: 'a\nb', outcomes: undefined, website_visits: undefined }
  expect(failureOf({ ...failed, detail: undefined })).toEqual({ code: 'source_unavailable', message: 'a b' })
  const detail = 'via http://user:p@ss@proxy.example:1 with Basic c2VjcmV0\u001b[2J\n'
  expect(failureOf({ ...failed, detail }).detail).toBe('via http://proxy.example:1 with Basic  [2J')
  expect(failureOf({ ...failed, detail: 'x'.repeat(10_000) }).detail).toHaveLength(300)
})
