import { createCoordinatorMetrics } from '@placefleet/coordinator/metrics'
import { expect, test } from 'vitest'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { freePort } from '../harness/network/free-port.ts'
import { until } from '../harness/until.ts'

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

test('a coordinator counts its requests by route and status, and unknown paths as one', async () => {
  const world = await startWorld()
  const port = await freePort()
  const { client, url } = await addCoordinator(world, { METRICS_PORT: `${port}` })
  await client.call('GET', '/api/v1/jobs')
  for (const path of ['/none/one', '/none/two']) await fetch(`${url}${path}`)

  const figures = await until('the requests are counted', async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return text.includes('route="unknown",status="404"} 2') && text
  })

  expect(figures).toContain('placefleet_http_request_seconds_count{method="GET",route="/api/v1/jobs",status="200"} 1')
})
