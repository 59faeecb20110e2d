import { type BilledJob, DEFAULT_PRICES, jobCost, UnitPrices } from '@placefleet/coordinator/billing/prices/cost'
import { costReport } from '@placefleet/coordinator/billing/prices/cost-routes'
import { BILLED_EVENTS, eachEvent } from '@placefleet/shared/billed-events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { billedJobs } from './arbitraries.ts'

const nothing: BilledJob = {
  prices: DEFAULT_PRICES,
  totals: { places: 0, reviews: 0, images: 0 },
  include_emails: false,
  website_filter: 'all',
  started: false,
}
const job_id = '0f8fad5b-d9cb-469f-a165-70867728950e'

test.each([
  ['that never started', { started: false }, []],
  ['without places', { started: true }, ['job_start']],
  [
    'without contact details and filters',
    { started: true, totals: { places: 12, reviews: 30, images: 7 } },
    ['job_start', 'place_scraped', 'review', 'image'],
  ],
])('a job $0 pays for $2 alone', (_, job, events) => {
  expect(jobCost({ ...nothing, ...job }).items.map(({ event_type }) => event_type)).toEqual(events)
})

test('the report lists the charges in their fixed order, as decimal strings', () => {
  const job: BilledJob = {
    ...nothing,
    started: true,
    include_emails: true,
    website_filter: 'no_website',
    totals: { places: 12, reviews: 30, images: 7 },
  }
  expect(costReport({ ...job, job_id, held: 157_000 })).toEqual({
    job_id,
    items: [
      { event_type: 'job_start', quantity: 1, cost_credits: '0.007000' },
      { event_type: 'place_scraped', quantity: 12, cost_credits: '0.036000' },
      { event_type: 'contact_details', quantity: 12, cost_credits: '0.024000' },
      { event_type: 'review', quantity: 30, cost_credits: '0.015000' },
      { event_type: 'image', quantity: 7, cost_credits: '0.003500' },
      { event_type: 'filters_applied', quantity: 12, cost_credits: '0.012000' },
    ],
    total_credits: '0.097500',
    total_rounded: 0,
    held_credits: '0.157000',
  })
})

test('the total is the sum of the items, and every item has a quantity', () => {
  fc.assert(
    fc.property(billedJobs, (job) => {
      const { items, total } = jobCost(job)
      expect(total).toBe(items.reduce((sum, item) => sum + item.cost, 0))
      expect(Number.isSafeInteger(total)).toBe(true)
      for (const { event_type, quantity, cost } of items) {
        expect(quantity).toBeGreaterThan(0)
        expect(BigInt(cost)).toBe(BigInt(job.prices[event_type]) * BigInt(quantity))
      }
      const order = items.map(({ event_type }) => BILLED_EVENTS.indexOf(event_type))
      expect(order).toEqual([...order].sort((a, b) => a - b))
    }),
  )
})

test('the highest prices keep the sum of the largest job exact: an area of 100,000 places with all reviews and images', () => {
  const prices = UnitPrices.parse(eachEvent(() => 10_000_000))
  expect(UnitPrices.safeParse({ ...prices, review: 10_000_001 }).success).toBe(false)
  const totals = { places: 100_000, reviews: 100_000 * 500, images: 100_000 * 500 }
  const { items, total } = jobCost({
    prices,
    totals,
    include_emails: true,
    website_filter: 'no_website',
    started: true,
  })
  expect(items).toHaveLength(BILLED_EVENTS.length)
  expect(Number.isSafeInteger(total)).toBe(true)
})
