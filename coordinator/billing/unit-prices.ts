import { z } from 'zod'

/** The billed events, in the order of a cost report (SPEC, "Cost report"). */
export const BILLED_EVENTS = [
  'job_start',
  'place_scraped',
  'contact_details',
  'review',
  'image',
  'filters_applied',
] as const

export type BilledEvent = (typeof BILLED_EVENTS)[number]

/** 1,000 credits per unit: 500 places with 500 reviews and images each still add up exactly. */
const MAX_PRICE = 1_000_000_000

const price = z.int().min(0).max(MAX_PRICE).describe('micro-credits per unit')

/** A price for every billed event, in micro-credits. A job carries a copy of its prices. */
export const UnitPrices = z.strictObject({
  job_start: price,
  place_scraped: price,
  contact_details: price,
  review: price,
  image: price,
  filters_applied: price,
} satisfies Record<BilledEvent, typeof price>)
export type UnitPrices = z.infer<typeof UnitPrices>

/** SPEC's default unit prices, in force until the first price rule begins. */
export const DEFAULT_PRICES: UnitPrices = {
  job_start: 7_000,
  place_scraped: 3_000,
  contact_details: 2_000,
  review: 500,
  image: 500,
  filters_applied: 1_000,
}
