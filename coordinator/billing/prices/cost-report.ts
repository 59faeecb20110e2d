import { BILLED_EVENTS } from '@placefleet/shared/billed-events'
import { z } from 'zod'
import { type BilledJob, creditString, jobCost, type MicroCredits, roundedCredits } from './cost.ts'

/** The billed part of a job, and the credits that were held for it at its creation. */
export type JobForCosts = BilledJob & { job_id: string; held: MicroCredits }

/** The example in the OpenAPI document. */
export const costReportExample = {
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
export const CostReport = z
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
export type CostReport = z.infer<typeof CostReport>

/** Returns the cost report of a job. */
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
