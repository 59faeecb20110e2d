import { BILLED_EVENTS } from '@placefleet/shared/billed-events'
import { z } from 'zod'
import { accountOf } from '../../http/authentication.ts'
import { orNotFound } from '../../http/errors.ts'
import { IdParams, uuid } from '../../http/params.ts'
import { jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { type BilledJob, creditString, jobCost, type MicroCredits, roundedCredits } from './cost.ts'

/** The billed part of a job, and the credits that were held for it at its creation. */
export type JobForCosts = BilledJob & { job_id: string; held: MicroCredits }

/** The example in the OpenAPI document. */
const costReportExample = {
  job_id: '4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10',
  items: [
    { event_type: 'job_start' as const, quantity: 1, cost_credits: '0.007000' },
    { event_type: 'place_scraped' as const, quantity: 48, cost_credits: '0.144000' },
  ],
  total_credits: '0.151000',
  total_rounded: 0,
  held_credits: '0.157000',
}

/** The cost of a job by item. For a running job, its cost so far. */
const CostReport = z
  .object({
    job_id: z.uuid(),
    items: z.array(
      z.object({
        event_type: z.enum(BILLED_EVENTS),
        quantity: z.int().min(1),
        cost_credits: z.string().describe('credits, with 6 decimals'),
      }),
    ),
    total_credits: z.string().describe('credits, with 6 decimals'),
    total_rounded: z.int().min(0).describe('whole credits, rounded half up'),
    held_credits: z
      .string()
      .describe('credits held when the job was created, with 6 decimals; the job never costs more'),
  })
  .meta({
    id: 'CostReport',
    description: 'The cost of a job by item; for a running job, its cost so far.',
    examples: [costReportExample],
  })
type CostReport = z.infer<typeof CostReport>

export function costReport(job: JobForCosts): CostReport {
  const { items, total } = jobCost(job)
  return {
    job_id: job.job_id,
    items: items.map(({ event_type, quantity, cost }) => ({ event_type, quantity, cost_credits: creditString(cost) })),
    total_credits: creditString(total),
    total_rounded: roundedCredits(total),
    held_credits: creditString(job.held),
  }
}

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
