import { coverageOf } from '@placefleet/shared/coverage'
import type { Job } from '@placefleet/shared/job'
import { isFinal } from '@placefleet/shared/job-status'
import { noOutcomes } from '@placefleet/shared/outcome'
import { isFiltered } from '@placefleet/shared/rejection-reason'
import { noWebsiteVisits } from '@placefleet/shared/website-visits'
import { costOf, creditString } from '../billing/prices/cost.ts'
import type { CertifiedJob } from '../coverage/certificate.ts'
import type { EndedJob } from '../webhooks/deliveries/record.ts'
import type { JobDocument } from './documents.ts'
import { etaOf } from './eta.ts'

/** Converts a stored job to its form in the API. */
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
    monitor_id: job.monitor?.id,
    result_count: totals.places,
    total_cost: creditString(costOf(job)),
    ...(isFinal(job.status) && reasonsOf(job)), // they are stored before the job has ended
    coverage: completenessOf(job),
    progress: {
      discovered: Math.max(progress.discovered, totals.places),
      collected: totals.places,
      tasks_total: progress.tasks_total,
      tasks_done: progress.tasks_done,
      waiting_until: progress.waiting_until?.toISOString(),
      waiting_reason: progress.waiting_reason,
      eta: etaOf(job, new Date())?.toISOString(),
    },
    outcomes: { ...noOutcomes(), ...job.outcomes, ok: totals.places },
    limited_reason: job.limited_reason,
    website_visits: job.data.include_emails ? (job.website_visits ?? noWebsiteVisits()) : undefined,
  }
}

const reasonsOf = ({ data, failure_reason, cancel_reason, partial, partial_reason }: JobDocument) => ({
  failure_reason,
  cancel_reason,
  partial,
  partial_reason: data.exhaust ? partial_reason : undefined,
})

/** Returns how complete a job is that exhausts its area. */
function completenessOf({ data, status, partial, totals, estimate }: JobDocument): Job['coverage'] {
  if (!data.exhaust) return undefined
  const exhausted = status === 'completed' && !partial
  return { exhausted, found: totals.places, ...(estimate && { estimate: { ...estimate, confidence: 0.95 } }) }
}

/** Converts a job to the form that its certificate of coverage needs. */
export function certifiedJob({ status, data, totals, progress, estimate }: JobDocument): CertifiedJob {
  const filtered = isFiltered(data)
  return {
    coverage: coverageOf(data),
    found: totals.places,
    listed: progress.discovered,
    isFiltered: filtered,
    // In fast mode only stored places are counted.
    isCut: totals.places >= data.max_results && (filtered || data.fast_mode),
    hasEnded: isFinal(status),
    exhausted: estimate,
  }
}

/**
 * Converts an ended job to its form in webhooks.
 * @throws Error when the job has not ended.
 */
export function endedJob(job: JobDocument): EndedJob {
  const { _id: job_id, user_id, name, status, totals, created_at, ended_at } = job
  const final = status === 'completed' || status === 'failed' || status === 'cancelled'
  if (!final || !ended_at) throw new Error(`the job ${job_id} has not ended`)
  const { traceparent } = job
  return { job_id, user_id, name, status, result_count: totals.places, created_at, ended_at, traceparent }
}
