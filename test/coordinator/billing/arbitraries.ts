import type { BilledJob, UnitPrices } from '@placefleet/coordinator/billing/prices/cost'
import type { CostFactors } from '@placefleet/coordinator/billing/prices/estimate'
import { WEBSITE_FILTERS } from '@placefleet/shared/web-presence/tiers'
import fc from 'fast-check'

const price = fc.nat({ max: 1_000_000 })

/** Any prices up to a credit a unit. */
export const unitPrices: fc.Arbitrary<UnitPrices> = fc.record({
  job_start: price,
  place_scraped: price,
  contact_details: price,
  review: price,
  image: price,
  filters_applied: price,
})

const websiteFilter = fc.constantFrom(...WEBSITE_FILTERS)

/** Any job within the caps, as it may be billed. */
export const billedJobs: fc.Arbitrary<BilledJob> = fc.record({
  prices: unitPrices,
  totals: fc.record({
    places: fc.nat({ max: 500 }),
    reviews: fc.nat({ max: 250_000 }),
    images: fc.nat({ max: 250_000 }),
  }),
  include_emails: fc.boolean(),
  website_filter: websiteFilter,
  started: fc.boolean(),
})

const keywords = fc.array(fc.constantFrom('cafe', 'bakery', 'museum'), { minLength: 1, maxLength: 5 })
const depth = fc.integer({ min: 1, max: 20 })
const cap = fc.nat({ max: 500 })

/** Any body of an estimate. */
export const costFactors: fc.Arbitrary<CostFactors> = fc.record(
  {
    keywords,
    depth,
    include_emails: fc.boolean(),
    max_images: cap,
    max_reviews: cap,
    max_results: fc.integer({ min: 1, max: 500 }),
    website_filter: websiteFilter,
  },
  { requiredKeys: ['keywords', 'depth', 'include_emails', 'max_images', 'website_filter'] },
)
