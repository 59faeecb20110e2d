import type { SpendingLimits } from '../../http/authentication.ts'
import { AppError } from '../../http/errors.ts'
import {
  type BilledJob,
  creditString,
  jobCost,
  type MicroCredits,
  microCredits,
  type UnitPrices,
} from '../prices/cost.ts'

/** A job that may have a `max_cost`. */
type Capped = { max_cost?: string | undefined }

/** Returns the maximum cost of a job by its `max_cost`; Infinity without one. */
export const costLimit = ({ max_cost }: Capped): MicroCredits =>
  max_cost === undefined ? Infinity : microCredits(max_cost)

/** Returns how many places an amount pays for, given the cost of a number of places. Infinity when places are free. */
export function placesWithin(amount: MicroCredits, costOfPlaces: (places: number) => MicroCredits): number {
  const start = costOfPlaces(0)
  const each = costOfPlaces(1) - start
  if (amount < start) return 0
  return each === 0 ? Infinity : Math.floor((amount - start) / each)
}

/** Returns the cost of a job with one place, without reviews and images. */
function leastCost(job: Pick<BilledJob, 'include_emails' | 'website_filter'>, prices: UnitPrices): MicroCredits {
  return costWith(job, prices, 1)
}

/**
 * Checks that the `max_cost` of a job pays for one place without reviews and images.
 * @throws AppError `insufficient_credits` when it does not.
 */
export function checkMaxCost(
  job: Capped & Pick<BilledJob, 'include_emails' | 'website_filter'>,
  prices: UnitPrices,
): void {
  const least = leastCost(job, prices)
  if (costLimit(job) >= least) return
  const start = costWith(job, prices, 0)
  const parts = `the start of the job costs ${creditString(start)} credits and one place ${creditString(least - start)}`
  const message = `must be at least ${creditString(least)}: ${parts}`
  throw new AppError('insufficient_credits', `\`max_cost\` ${message}`, { details: [{ path: 'max_cost', message }] })
}

const costWith = (job: Pick<BilledJob, 'include_emails' | 'website_filter'>, prices: UnitPrices, places: number) =>
  jobCost({ ...job, prices, totals: { places, reviews: 0, images: 0 }, started: true }).total

/** What the jobs of an API key cost or may still cost: those created in the current day and month (UTC). */
export type KeySpending = { day: MicroCredits; month: MicroCredits }

export const NOTHING_SPENT: KeySpending = { day: 0, month: 0 }

/** Returns the beginning of the UTC day and of the UTC month of a time. */
export function spendingPeriods(at: Date): { day: Date; month: Date } {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return { day: new Date(Date.UTC(year, month, at.getUTCDate())), month: new Date(Date.UTC(year, month, 1)) }
}

/**
 * Checks that a job which may cost `most` keeps an API key within its limits.
 * @throws AppError `key_limit` that names the limit and what is left.
 */
export function checkKeyLimits(limits: SpendingLimits, spending: KeySpending, most: MicroCredits): void {
  for (const period of ['day', 'month'] as const) {
    const limit = limits[period]
    if (limit === undefined) continue
    const left = Math.max(0, microCredits(limit) - spending[period])
    if (most <= left) continue
    const rule = `This API key may spend ${creditString(microCredits(limit))} credits a ${period} (UTC).`
    const advice = `Lower \`max_cost\`, or raise the limit of the key with a session.`
    throw new AppError(
      'key_limit',
      `${rule} ${creditString(left)} are left, and the job may cost ${creditString(most)}. ${advice}`,
    )
  }
}
