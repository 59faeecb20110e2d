import { z } from 'zod'
import { accountOf } from '../../http/authentication.ts'
import { orNotFound } from '../../http/errors.ts'
import { IdParams, uuid } from '../../http/params.ts'
import { jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { CostReport, costReport, costReportExample, type JobForCosts } from './cost-report.ts'

type CostRoutesOptions = {
  /** Returns the billed part of a user's jobs. Omits unknown jobs and those of other users. */
  findJobsForCosts(user_id: string, job_ids: string[]): Promise<JobForCosts[]>
}

const BatchRequest = z
  .strictObject({ job_ids: z.array(uuid).max(100).describe('unknown jobs and those of other users are ignored') })
  .meta({
    id: 'CostBatchRequest',
    description: 'The jobs to report on.',
    examples: [{ job_ids: [costReportExample.job_id] }],
  })
const BatchAnswer = z.object({ costs: z.record(z.uuid(), CostReport) }).meta({
  id: 'CostBatchAnswer',
  description: 'Cost reports by job.',
  examples: [{ costs: { [costReportExample.job_id]: costReportExample } }],
})

/** Routes for the cost report of one job, and of up to 100. */
export async function costRoutes(app: Server, { findJobsForCosts }: CostRoutesOptions) {
  app.get(
    '/jobs/:id/costs',
    {
      schema: {
        tags: ['jobs'],
        operationId: 'getJobCosts',
        summary: 'Cost report of a job',
        params: IdParams,
        response: { 200: jsonResponse(CostReport, 'The cost report') },
      },
    },
    async (request) => {
      const [job] = await findJobsForCosts(accountOf(request).user_id, [request.params.id])
      return costReport(orNotFound(job, 'job'))
    },
  )

  app.post(
    '/jobs/costs/batch',
    {
      schema: {
        tags: ['jobs'],
        operationId: 'getCostsOfJobs',
        summary: 'Cost reports of up to 100 jobs',
        body: BatchRequest,
        response: { 200: jsonResponse(BatchAnswer, 'Cost reports by job') },
      },
    },
    async (request) => {
      const jobs = await findJobsForCosts(accountOf(request).user_id, [...new Set(request.body.job_ids)])
      return { costs: Object.fromEntries(jobs.map((job) => [job.job_id, costReport(job)])) }
    },
  )
}
