import { backoffMs } from '@placefleet/shared/backoff'

/** SPEC, "Other limits": attempts of a delivery in all. */
export const MAX_ATTEMPTS = 5

const LONGEST_WAIT_MS = 3_600_000

/** Milliseconds from the end of a failed attempt to the next: 2^attempt seconds × [0.5, 1.5), an hour at most (SPEC). */
export function retryDelayMs(attempt: number, random: () => number = Math.random): number {
  return Math.min(backoffMs(attempt, 2_000, LONGEST_WAIT_MS, random), LONGEST_WAIT_MS)
}
