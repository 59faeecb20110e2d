import { createCoordinatorMetrics } from '@placefleet/coordinator/metrics'
import { expect, test } from 'vitest'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'

test('a coordinator tells how many jobs and tasks are left, and how old the oldest job is', async () => {
  const world = await startWorld()
  const { client } = await addCoordinator(world)
  await client.create({ keywords: ['one', 'two'] })

  const figures = await createCoordinatorMetrics(world.db, { count: () => 7 }).metrics()

  expect(figures).toContain('placefleet_task_streams 7')
  expect(figures).toContain('placefleet_jobs{status="pending"} 1')
  expect(figures).toContain('placefleet_jobs{status="running"} 0')
  expect(figures).toMatch(/placefleet_tasks\{state="(waiting|released)"\} 2/)
  expect(figures).toMatch(/placefleet_oldest_job_seconds \d+/)
})
