import { hasArea } from '@placefleet/shared/area/area'
import { LIKELY_SHARE, mostListed } from '../billing/prices/estimate.ts'
import type { JobDocument } from './documents.ts'

/** As many places show how fast a job is. */
const ENOUGH = 5

type MeasuredJob = Pick<
  JobDocument,
  'phase' | 'started_at' | 'deadline_at' | 'progress' | 'outcomes' | 'totals' | 'data'
>

/**
 * Returns when a running job likely ends, by its own speed so far: now + (places left) × (time since its start) / (places
 * done). Places are left up to `max_results`, or up to those that its searches have listed; those that a filter drops are
 * done, too. In fast mode the searches themselves store the places: of those that its keywords may list, three quarters
 * are expected, as in estimates. Never later than its deadline. Undefined while that is unknown: it waits, its searches
 * still list places, or it has done fewer than five.
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
