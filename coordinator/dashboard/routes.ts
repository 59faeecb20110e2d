import { Job } from '@placefleet/shared/job'
import { jobExample } from '@placefleet/shared/job-example'
import { z } from 'zod'
import { accountOf } from '../http/authentication.ts'
import { queryInteger } from '../http/params.ts'
import { jsonResponse } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'

const count = z.int().min(0)

const Kpi = z.object({
  jobs_today: count.describe('jobs created since midnight UTC'),
  places_scraped_total: count.describe('places of all your jobs, except deleted ones'),
  active_jobs: count.describe('jobs that are running or pending'),
})

const RecentJob = Job.pick({
  id: true,
  name: true,
  status: true,
  created_at: true,
  updated_at: true,
  source: true,
  result_count: true,
  total_cost: true,
})

const Dashboard = z.object({ kpi: Kpi, recent_jobs: z.array(RecentJob) }).meta({
  id: 'Dashboard',
  description: 'The key figures and the latest jobs.',
  examples: [
    { kpi: { jobs_today: 1, places_scraped_total: 48, active_jobs: 0 }, recent_jobs: [RecentJob.parse(jobExample)] },
  ],
})

type DashboardRoutesOptions = {
  /** Returns the key figures over a user's jobs. */
  activity(user_id: string): Promise<z.infer<typeof Kpi>>
  /** Returns a user's jobs, newest first. */
  recentJobs(user_id: string, limit: number): Promise<z.infer<typeof RecentJob>[]>
}

const DashboardQuery = z.strictObject({
  limit: queryInteger({ min: 1, max: 20, fallback: 5, describe: 'number of recent jobs' }),
})

/** `GET /dashboard`: the key figures and the latest jobs. */
export async function dashboardRoutes(app: Server, { activity, recentJobs }: DashboardRoutesOptions): Promise<void> {
  app.get(
    '/dashboard',
    {
      schema: {
        tags: ['dashboard'],
        operationId: 'getDashboard',
        summary: 'Key figures and latest jobs',
        querystring: DashboardQuery,
        response: { 200: jsonResponse(Dashboard, 'The figures and the jobs') },
      },
    },
    async (request) => {
      const { user_id } = accountOf(request)
      const [kpi, recent_jobs] = await Promise.all([activity(user_id), recentJobs(user_id, request.query.limit)])
      return { kpi, recent_jobs }
    },
  )
}
