import type { TaskParameters } from '@placefleet/shared/protocol'

/** The default parameters of tasks in tests and benchmarks. */
export const PARAMETERS: TaskParameters = {
  language: 'en',
  depth: 20,
  fast_mode: false,
  include_emails: false,
  max_images: 2, // shown by every page with photos
  max_reviews: 8,
  reviews_sort: 'newest',
  reviewer_names: true,
  website_filter: 'all',
  zoom: 0,
  radius: 0,
}

/** The part of a task's context that says that Chromium starts. */
export const WITH_CHROMIUM = { chromiumStarts: () => true, limited_reason: undefined }
