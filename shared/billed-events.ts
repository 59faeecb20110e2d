/** The billed events, in the order of a cost report. */
export const BILLED_EVENTS = [
  'job_start',
  'place_scraped',
  'contact_details',
  'review',
  'image',
  'filters_applied',
] as const

export type BilledEvent = (typeof BILLED_EVENTS)[number]
