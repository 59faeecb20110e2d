import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { expect, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { claimTask } from '../../harness/agents/task-call.ts'
import { releasedTask } from '../../harness/coordinator/released-task.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

const DAY_MS = 86_400_000

test('with RETENTION_DAYS older ended jobs are deleted with their places; younger ones, and any that have not ended, stay', async () => {
  const world = await startWorld()
  const first = await addCoordinator(world)
  const agent = await addAgent(world, first.grpc, scriptedCollector({ find: () => [1, 2, 3] }), 1)
  const [old, young] = [await first.client.create(request), await first.client.create(request)]
  for (const id of [old, young]) await first.client.ended(id)
  await until('the old job is closed', async () => jobsOf(world.db).findOne({ _id: old, phase: 'ended' }).then(Boolean))
  const age = (days: number) => ({ $set: { created_at: new Date(Date.now() - days * DAY_MS) } })
  await jobsOf(world.db).updateOne({ _id: old }, age(31))
  await jobsOf(world.db).updateOne({ _id: young }, age(29))
  await agent.drain()
  const [pending, running] = [await releasedTask(world, first), await releasedTask(world, first)]
  expect(await claimTask(first.grpc, running).next()).toMatchObject({ $case: 'assignment' })
  const active = [pending.job_id, running.job_id]
  await jobsOf(world.db).updateMany({ _id: { $in: active } }, age(40)) // so they would be deleted first

  const { client } = await addCoordinator(world, { RETENTION_DAYS: '30' })

  await until('the old job is gone', async () => (await client.call('GET', `/api/v1/jobs/${old}`)).status === 404)
  expect((await client.call('GET', `/api/v1/jobs/${old}/results`)).status).toBe(404)
  expect(await client.places(young)).toHaveLength(3)
  const statuses = await Promise.all(active.map(async (id) => (await client.job(id)).status))
  expect(statuses).toEqual(['pending', 'running'])
})

const request = { keywords: ['bakery'], max_results: 3 }
