import { BILLED_EVENTS, type BilledEvent, eachEvent } from '@placefleet/shared/billed-events'
import type { WebsiteFilter } from '@placefleet/shared/web-presence/tiers'
import { Decimal } from 'decimal.js'
import { z } from 'zod'
import { AppError } from '../../http/errors.ts'

/** Credits as whole micro-credits: the only form in which amounts are stored and added up. 1 credit = 1 USD. */
export type MicroCredits = number

const MICRO = 1_000_000

/**
 * Returns the amount of a decimal string in credits.
 * @throws RangeError when it is not a plain decimal with at most 6 decimals, or too large to be exact.
 */
export function microCredits(credits: string): MicroCredits {
  if (!/^-?\d{1,9}(\.\d{1,6})?$/.test(credits)) throw new RangeError(`not an amount in credits: ${credits}`)
  return new Decimal(credits).times(MICRO).toNumber()
}

/** Returns the wire form of an amount: a decimal string with 6 decimals. */
export function creditString(amount: MicroCredits): string {
  return new Decimal(amount).dividedBy(MICRO).toFixed(6)
}

/** Returns a price per unit times a whole number of units. */
export function times(price: MicroCredits, quantity: number): MicroCredits {
  return new Decimal(price).times(quantity).toNumber()
}

/** Whole credits, halves up. */
export function roundedCredits(amount: MicroCredits): number {
  return new Decimal(amount).dividedBy(MICRO).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber()
}

/** 10 credits per unit: 100,000 places with 500 reviews and images each add up below 2^53, so exactly. */
export const MAX_PRICE = 10_000_000

const price = z.int().min(0).max(MAX_PRICE).describe('micro-credits per unit')

/** A price for every billed event, in micro-credits. A job carries a copy of its prices. */
export const UnitPrices = z.strictObject(eachEvent(() => price))
export type UnitPrices = z.infer<typeof UnitPrices>

/** The default unit prices. They apply until the first price rule begins. */
export const DEFAULT_PRICES: UnitPrices = {
  job_start: 7_000,
  place_scraped: 3_000,
  contact_details: 2_000,
  review: 500,
  image: 500,
  filters_applied: 1_000,
}

/** The prices of a demo job. */
export const FREE: UnitPrices = eachEvent(() => 0)

/** The billed counts of a job. */
export type BilledTotals = { places: number; reviews: number; images: number }

/** Everything that determines a job's cost. */
export type BilledJob = {
  prices: UnitPrices
  totals: BilledTotals
  include_emails: boolean
  website_filter: WebsiteFilter
  /** Whether the job ever ran: `job_start` is charged on start. */
  started: boolean
}

type CostItem = { event_type: BilledEvent; quantity: number; cost: MicroCredits }

/** The cost of a job: its events with a quantity above 0, in the order of a cost report, and their exact sum. */
export type JobCost = { items: CostItem[]; total: MicroCredits }

/** Returns the cost of a job: prices × stored quantities. */
export function jobCost(job: BilledJob): JobCost {
  const quantity = quantities(job)
  const items = BILLED_EVENTS.filter((type) => quantity[type] > 0).map((type) => ({
    event_type: type,
    quantity: quantity[type],
    cost: times(job.prices[type], quantity[type]),
  }))
  return { items, total: items.reduce((sum, item) => sum + item.cost, 0) }
}

function quantities({ totals, include_emails, website_filter, started }: BilledJob): Record<BilledEvent, number> {
  return {
    job_start: started ? 1 : 0,
    place_scraped: totals.places,
    contact_details: include_emails ? totals.places : 0,
    review: totals.reviews,
    image: totals.images,
    filters_applied: website_filter === 'all' ? 0 : totals.places,
  }
}

/** A job with the prices it was created at. */
type PricedJob = Omit<BilledJob, 'include_emails' | 'website_filter' | 'started'> & {
  data: Pick<BilledJob, 'include_emails' | 'website_filter'>
  started_at?: Date
}

/** Returns the fields of a job that billing needs. */
export function billedJob(job: PricedJob, totals = job.totals): BilledJob {
  const { include_emails, website_filter } = job.data
  return { prices: job.prices, totals, include_emails, website_filter, started: job.started_at !== undefined }
}

/** Returns the cost of a job with these stored places. */
export const costWith = (job: PricedJob, totals: BilledTotals): MicroCredits => jobCost(billedJob(job, totals)).total

/** Returns the cost of a job; for a running job, its cost so far. */
export const costOf = (job: PricedJob & { total_cost?: MicroCredits }): MicroCredits =>
  job.total_cost ?? costWith(job, job.totals)

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

/**
 * Checks that the `max_cost` of a job pays for one place without reviews and images.
 * @throws AppError `insufficient_credits` when it does not.
 */
export function checkMaxCost(
  job: Capped & Pick<BilledJob, 'include_emails' | 'website_filter'>,
  prices: UnitPrices,
): void {
  const least = costOfPlaces(job, prices, 1)
  if (costLimit(job) >= least) return
  const start = costOfPlaces(job, prices, 0)
  const parts = `the start of the job costs ${creditString(start)} credits and one place ${creditString(least - start)}`
  const message = `must be at least ${creditString(least)}: ${parts}`
  throw new AppError('insufficient_credits', `\`max_cost\` ${message}`, { details: [{ path: 'max_cost', message }] })
}

/** Returns the cost of a job with these places, without reviews and images. */
const costOfPlaces = (job: Pick<BilledJob, 'include_emails' | 'website_filter'>, prices: UnitPrices, places: number) =>
  jobCost({ ...job, prices, totals: { places, reviews: 0, images: 0 }, started: true }).total
