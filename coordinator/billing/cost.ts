import type { WebsiteFilter } from '@placefleet/shared/web-presence/tiers'
import { type MicroCredits, times } from './money.ts'
import { EVENT_TYPES, type EventType, type UnitPrices } from './unit-prices.ts'

/** What is stored of a job, as far as it is billed. */
export type BilledTotals = { places: number; reviews: number; images: number }

/** Everything a job's cost follows from. */
export type BilledJob = {
  prices: UnitPrices
  totals: BilledTotals
  include_emails: boolean
  website_filter: WebsiteFilter
  /** Whether the job ever ran: `job_start` is charged on start. */
  started: boolean
}

export type CostItem = { event_type: EventType; quantity: number; cost: MicroCredits }

/** A job's cost: the event types with a quantity above 0, in SPEC's order, and their exact sum. */
export type JobCost = { items: CostItem[]; total: MicroCredits }

/** What a job costs: prices × what is stored (SPEC, "Cost report"). */
export function jobCost(job: BilledJob): JobCost {
  const quantity = quantities(job)
  const items = EVENT_TYPES.filter((type) => quantity[type] > 0).map((type) => ({
    event_type: type,
    quantity: quantity[type],
    cost: times(job.prices[type], quantity[type]),
  }))
  return { items, total: items.reduce((sum, item) => sum + item.cost, 0) }
}

function quantities({ totals, include_emails, website_filter, started }: BilledJob): Record<EventType, number> {
  return {
    job_start: started ? 1 : 0,
    place_scraped: totals.places,
    contact_details: include_emails ? totals.places : 0,
    review: totals.reviews,
    image: totals.images,
    filters_applied: website_filter === 'all' ? 0 : totals.places,
  }
}
