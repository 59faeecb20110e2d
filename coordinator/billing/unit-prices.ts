import { z } from 'zod'

/** What is charged, in the order in which a cost report lists it (SPEC, "Cost report"). */
export const EVENT_TYPES = [
  'job_start',
  'place_scraped',
  'contact_details',
  'review',
  'image',
  'filters_applied',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** 1,000 credits a unit: 500 places of 500 reviews and images at this price still add up exactly. */
const MAX_PRICE = 1_000_000_000

const price = z.int().min(0).max(MAX_PRICE).describe('micro-credits a unit')

/** A price for every event type, in micro-credits. A job carries a copy of those it runs under. */
export const UnitPrices = z.strictObject({
  job_start: price,
  place_scraped: price,
  contact_details: price,
  review: price,
  image: price,
  filters_applied: price,
} satisfies Record<EventType, typeof price>)
export type UnitPrices = z.infer<typeof UnitPrices>

/** SPEC's default unit prices: in force until the first price rule begins. */
export const DEFAULT_PRICES: UnitPrices = {
  job_start: 7_000,
  place_scraped: 3_000,
  contact_details: 2_000,
  review: 500,
  image: 500,
  filters_applied: 1_000,
}
