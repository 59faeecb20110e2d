import type { JobStatus } from '@placefleet/shared/job-status'
import type { MicroCredits } from '../../billing/cost.ts'

/**
 * Why a series ended. `exhausted`: its searches list next to no new place. `blocked`: likewise, but the map site did not
 * answer for some cells. `max_cost`: the next job could exceed the `max_cost` of the series.
 */
export const SERIES_ENDS = ['exhausted', 'blocked', 'max_cost', 'failed', 'cancelled'] as const
export type SeriesEnd = (typeof SERIES_ENDS)[number]

/** More jobs than this are never needed: together they hold 100,000 places. */
const MOST_JOBS = 200

/** The facts about a series after the end of one of its jobs. */
export type SeriesFacts = {
  job: {
    status: JobStatus
    cancel_reason?: 'user' | 'timeout' | undefined
    failure_reason?: string | undefined
    /** The next place would have cost more than the job could spend. */
    spent?: boolean | undefined
    number: number
  }
  /** Listed places that are not collected yet, cells to search, and cells without an answer. */
  waiting: number
  open: number
  blocked: number
  /** Whether the job stored or judged a place, or got an answer for a cell. */
  progressed: boolean
  /** The credits that are left of the `max_cost` of the series, and the cost of one place with the start of its job. */
  left: MicroCredits
  least: MicroCredits
  /** Whether `left`, before the job, was less than the job could have spent otherwise. */
  limited: boolean
}

export type EndOfSeries = { ended: SeriesEnd; reason?: string }

/** Returns the end of a series after one of its jobs; undefined while another job follows. */
export function endAfter(facts: SeriesFacts): EndOfSeries | undefined {
  const { job, waiting, open, blocked, progressed, left, least, limited } = facts
  if (job.status === 'cancelled' && job.cancel_reason !== 'timeout') return { ended: 'cancelled' }
  if (job.status === 'failed') return { ended: 'failed', reason: job.failure_reason ?? 'source_unavailable' }
  if (waiting === 0 && open === 0) return { ended: blocked > 0 ? 'blocked' : 'exhausted' }
  if ((job.spent && limited) || left < least) return { ended: 'max_cost' }
  if (!progressed) return { ended: 'failed', reason: 'The last job found no place and got no answer to a search.' }
  if (job.number >= MOST_JOBS) return { ended: 'failed', reason: `A series has at most ${MOST_JOBS} jobs.` }
  return undefined
}
