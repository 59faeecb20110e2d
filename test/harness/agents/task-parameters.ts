import type { TaskParameters } from '@placefleet/agent/collect/task'

/** What tasks of tests and benchmarks ask for unless they say otherwise. */
export const PARAMETERS: TaskParameters = {
  language: 'en',
  depth: 20,
  fast_mode: false,
  include_emails: false,
  max_images: 2, // which every page shows that has photos
  max_reviews: 8,
  website_filter: 'all',
  zoom: 0,
  radius: 0,
}
