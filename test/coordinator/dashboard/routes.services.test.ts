import { dashboardRoutes } from '@placefleet/coordinator/dashboard/routes'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { presentJob } from '@placefleet/coordinator/jobs/present'
import { jobActivity, recentJobs } from '@placefleet/coordinator/jobs/reports'
import type { JobStatus } from '@placefleet/shared/job-status'
import { afterAll, expect, test } from 'vitest'
import { startApi } from '../../harness/coordinator/api.ts'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const jobs = jobsOf(db)
const path = '/api/v1/dashboard'

const routes = async (server: Server) => {
  const latest = async (user_id: string, limit: number) => (await recentJobs(db, user_id, limit)).map(presentJob)
  const activity = (user_id: string) => jobActivity(db, user_id)
  await server.register(dashboardRoutes, { prefix: '/api/v1', activity, recentJobs: latest })
}
const api = await startApi(db, { routes }, afterAll)

test('a user without jobs sees zeros', async () => {
  const { key } = await testUser(db)
  const answer = await api.call('GET', path, { key })
  const kpi = { jobs_today: 0, places_scraped_total: 0, active_jobs: 0 }
  expect(answer).toMatchObject({ status: 200, body: { kpi, recent_jobs: [] } })
})

test('only running and pending jobs are active; jobs of others and deleted jobs do not count', async () => {
  const { user_id } = await testUser(db)
  const statuses: JobStatus[] = ['pending', 'running', 'running', 'aborting', 'completed', 'failed', 'cancelled']
  const totals = { places: 10, reviews: 1, images: 1 }
  await jobs.insertMany([
    ...statuses.map((status) => sampleJob(user_id, { status, totals })),
    sampleJob(user_id, { listed: false, totals }),
    sampleJob('another', { totals }),
  ])
  expect(await jobActivity(db, user_id)).toEqual({ jobs_today: 7, places_scraped_total: 70, active_jobs: 3 })
})

test('today begins at midnight UTC', async () => {
  const { user_id } = await testUser(db)
  const created = ['2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.000Z', '2026-03-02T12:00:00.000Z']
  await jobs.insertMany(created.map((time) => sampleJob(user_id, { created_at: new Date(time) })))
  const today = async (time: string) => (await jobActivity(db, user_id, new Date(time))).jobs_today
  expect(await today('2026-03-02T23:59:59.999Z')).toBe(2)
  expect(await today('2026-03-03T00:00:00.000Z')).toBe(0)
})

test('the latest jobs come first, five by default, each with the fields of the list', async () => {
  const { user_id, key } = await testUser(db)
  const made = Array.from({ length: 7 }, (_, day) =>
    sampleJob(user_id, { name: `job ${day}`, created_at: new Date(Date.UTC(2026, 0, day + 1)) }),
  )
  await jobs.insertMany(made)
  const names = async (query: string) => {
    const { body } = await api.call('GET', `${path}${query}`, { key })
    return (body as { recent_jobs: { name: string }[] }).recent_jobs.map(({ name }) => name)
  }
  expect(await names('')).toEqual(['job 6', 'job 5', 'job 4', 'job 3', 'job 2'])
  expect(await names('?limit=1')).toEqual(['job 6'])
  expect(await names('?limit=20')).toHaveLength(7)
  const { body } = await api.call('GET', `${path}?limit=1`, { key })
  const { updated_at, ...shown } = (body as { recent_jobs: Record<string, unknown>[] }).recent_jobs[0] ?? {}
  expect(updated_at).toEqual(expect.any(String))
  expect(shown).toEqual({
    id: made[6]?._id,
    name: 'job 6',
    status: 'pending',
    created_at: '2026-01-07T00:00:00.000Z',
    source: 'api',
    result_count: 0,
    total_cost: '0.000000',
  })
})
