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

export const eachEvent = <Value>(of: (event: BilledEvent) => Value): Record<BilledEvent, Value> => ({
  job_start: of('job_start'),
  place_scraped: of('place_scraped'),
  contact_details: of('contact_details'),
  review: of('review'),
  image: of('image'),
  filters_applied: of('filters_applied'),
})
