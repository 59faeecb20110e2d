import type { WebsiteFilter } from '@placefleet/shared/web-presence/tiers'
import { type MicroCredits, times } from './money.ts'
import { BILLED_EVENTS, type BilledEvent, type UnitPrices } from './unit-prices.ts'

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

export type CostItem = { event_type: BilledEvent; quantity: number; cost: MicroCredits }

/** The cost of a job: its events with a quantity above 0, in SPEC's order, and their exact sum. */
export type JobCost = { items: CostItem[]; total: MicroCredits }

/** Returns the cost of a job: prices × stored quantities (SPEC, "Cost report"). */
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
