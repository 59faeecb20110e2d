import { hasArea } from '@placefleet/shared/area/area-of'
import { coverageOf } from '@placefleet/shared/coverage'
import type { Job } from '@placefleet/shared/job'
import { isFinal } from '@placefleet/shared/job-status'
import { noOutcomes } from '@placefleet/shared/outcome'
import { isFiltered } from '@placefleet/shared/place-filter'
import { noWebsiteVisits } from '@placefleet/shared/website-visits'
import { costOf, creditString } from '../billing/prices/cost.ts'
import { LIKELY_SHARE, mostListed } from '../billing/prices/estimate.ts'
import type { CertifiedJob } from '../coverage/certificate.ts'
import type { EndedJob } from '../webhooks/deliveries/record.ts'
import type { JobDocument } from './documents.ts'

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

/** As many places show how fast a job is. */
const ENOUGH = 5

type MeasuredJob = Pick<
  JobDocument,
  'phase' | 'started_at' | 'deadline_at' | 'progress' | 'outcomes' | 'totals' | 'data'
>

/**
 * Returns when a running job likely ends, by its own speed so far: now + (places left) × (time since its start) /
 * (places done). Places are left up to `max_results`, or up to those that its searches have listed; those that a filter
 * drops are done, too. In fast mode the searches themselves store the places: of those that its keywords may list,
 * three quarters are expected, as in estimates. Never later than its deadline. Undefined while that is unknown: it
 * waits, its searches still list places, or it has done fewer than five.
 */
export function etaOf(job: MeasuredJob, now: Date): Date | undefined {
  const { phase, started_at, deadline_at, progress, outcomes, totals, data } = job
  if (phase !== 'running' || !started_at || progress.waiting_reason) return undefined
  const listed = listedBy(job)
  if (listed === undefined) return undefined
  const { filtered, known, out_of_area, empty } = outcomes
  const done = totals.places + filtered + known + out_of_area + empty
  if (done < ENOUGH) return undefined
  // Of the places that are done, only the stored ones count for `max_results`.
  const untilFull = ((data.max_results - totals.places) * done) / Math.max(1, totals.places)
  const left = Math.min(untilFull, listed - done)
  if (left <= 0) return undefined
  const ends = now.getTime() + (left * (now.getTime() - started_at.getTime())) / done
  return new Date(Math.min(ends, deadline_at?.getTime() ?? ends))
}

/** How many places the searches of a job list, as far as that is known. Nobody knows how many places an area has. */
function listedBy({ data, progress }: Pick<MeasuredJob, 'data' | 'progress'>): number | undefined {
  if (progress.searches_ended) return progress.discovered
  return data.fast_mode && !hasArea(data) ? mostListed(data) * LIKELY_SHARE : undefined
}
