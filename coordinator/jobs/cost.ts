import { type BilledJob, jobCost } from '../billing/cost.ts'
import type { MicroCredits } from '../billing/money.ts'
import type { ResultTotals } from '../results/documents.ts'
import type { JobDocument } from './documents.ts'

type Priced = Pick<JobDocument, 'prices' | 'totals' | 'started_at' | 'data'>

/** What billing needs to know of a job. */
export function billedJob(job: Priced, totals: ResultTotals = job.totals): BilledJob {
  const { include_emails, website_filter } = job.data
  return { prices: job.prices, totals, include_emails, website_filter, started: job.started_at !== undefined }
}

/** What a job would cost with these places stored. */
export const costWith = (job: Priced, totals: ResultTotals): MicroCredits => jobCost(billedJob(job, totals)).total

/** What a job has cost, or would cost if it ended now. */
export const costOf = (job: Priced & Pick<JobDocument, 'total_cost'>): MicroCredits =>
  job.total_cost ?? costWith(job, job.totals)
