import { AppError } from '../http/errors.ts'
import { type BilledJob, creditString, jobCost, type MicroCredits, microCredits, type UnitPrices } from './cost.ts'

/** A job that may have a `max_cost`. */
type Capped = { max_cost?: string | undefined }

/** The most a job may cost by its `max_cost`; Infinity without one. */
export const costLimit = ({ max_cost }: Capped): MicroCredits =>
  max_cost === undefined ? Infinity : microCredits(max_cost)

/** Returns how many places an amount pays for, given the cost of a number of places. Infinity when places are free. */
export function placesWithin(amount: MicroCredits, costOfPlaces: (places: number) => MicroCredits): number {
  const start = costOfPlaces(0)
  const each = costOfPlaces(1) - start
  if (amount < start) return 0
  return each === 0 ? Infinity : Math.floor((amount - start) / each)
}

/**
 * Checks that the `max_cost` of a job pays for one place without reviews and images.
 * @throws AppError `insufficient_credits` when it does not.
 */
export function checkMaxCost(
  job: Capped & Pick<BilledJob, 'include_emails' | 'website_filter'>,
  prices: UnitPrices,
): void {
  const onePlace = { places: 1, reviews: 0, images: 0 }
  const least = jobCost({ ...job, prices, totals: onePlace, started: true }).total
  if (costLimit(job) >= least) return
  const message = `One place costs ${creditString(least)} credits. Raise \`max_cost\` to at least that.`
  throw new AppError('insufficient_credits', message)
}
