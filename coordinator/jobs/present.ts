import type { Job } from '@placefleet/shared/job'
import { creditString } from '../billing/money.ts'
import { costOf } from './cost.ts'
import type { JobDocument } from './documents.ts'

/** A job as the API shows it. */
export function presentJob(job: JobDocument): Job {
  const { progress, totals } = job
  return {
    id: job._id,
    name: job.name,
    status: job.status,
    data: { ...job.data, proxy_count: job.proxy_count },
    created_at: job.created_at.toISOString(),
    updated_at: job.updated_at.toISOString(),
    started_at: job.started_at?.toISOString(),
    ended_at: job.ended_at?.toISOString(),
    source: job.source,
    result_count: totals.places,
    total_cost: creditString(costOf(job)),
    failure_reason: job.failure_reason,
    cancel_reason: job.cancel_reason,
    partial: job.partial,
    progress: { ...progress, discovered: Math.max(progress.discovered, totals.places), collected: totals.places },
    outcomes: { ...job.outcomes, ok: totals.places },
  }
}
