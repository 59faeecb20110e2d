import type { JobDocument } from './documents.ts'

/** How a job ends. */
export type JobEnd =
  | { status: 'completed'; partial?: true; spent?: true }
  | { status: 'failed'; failure_reason: string }
  | { status: 'cancelled'; cancel_reason: 'user' | 'timeout' }

/** The end of a job that the map site blocked until its deadline, when no place is stored. */
export const BLOCKED: JobEnd = {
  status: 'failed',
  failure_reason: 'blocked: the map site refused every exit up to max_time',
}

/** The end of a job whose next place would cost more than the rest of its hold. */
export const SPENT: JobEnd = { status: 'completed', partial: true, spent: true }

/**
 * Corrects a decided end, given the number of places in the sealed chain. The totals of a running job may lag: a
 * coordinator may have died after it stored a place and before it updated the totals.
 */
export function endGivenPlaces(end: JobEnd, places: number): JobEnd {
  return end.status === 'failed' && places > 0 ? { status: 'completed', partial: true } : end
}

/** Returns the end that is stored in a job. */
export function decidedEnd({ _id, end, failure_reason, cancel_reason, partial, spent }: JobDocument): JobEnd {
  if (end === 'completed') return { status: end, ...(partial && { partial }), ...(spent && { spent }) }
  if (end === 'failed') return { status: end, failure_reason: failure_reason ?? UNKNOWN_FAILURE }
  if (end === 'cancelled' && cancel_reason) return { status: end, cancel_reason }
  throw new Error(`the end of the job ${_id} is not decided`)
}

/** Why a job failed whose tasks left no reason. */
export const UNKNOWN_FAILURE = 'source_unavailable: the tasks of this job failed'
