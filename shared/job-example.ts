import { noOutcomes } from './outcome.ts'
import { noWebsiteVisits } from './website-visits.ts'

/** The example of a request in the documentation. */
export const orderExample = {
  name: 'Dentists in Limassol',
  keywords: ['dentist', 'dental clinic'],
  language: 'en' as const,
  depth: 5,
  include_emails: true,
  max_results: 100,
  website_filter: 'no_website' as const,
  lat: '34.6786',
  lon: '33.0413',
  zoom: 14,
  radius: 5_000,
}

const { name, ...data } = {
  ...orderExample,
  max_images: 0,
  max_reviews: 0,
  reviews_sort: 'newest' as const,
  reviewer_names: true,
  max_time: 1_800,
  fast_mode: false,
  proxy_count: 0,
}

/** The example of the configuration of a job. */
export const dataExample = data

/** The example of a job in the documentation. */
export const jobExample = {
  id: '4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10',
  name,
  status: 'completed' as const,
  data: dataExample,
  created_at: '2026-03-02T09:15:00.000Z',
  updated_at: '2026-03-02T09:19:12.000Z',
  started_at: '2026-03-02T09:15:01.000Z',
  ended_at: '2026-03-02T09:19:12.000Z',
  source: 'api' as const,
  result_count: 48,
  total_cost: '0.295000',
  progress: { discovered: 63, collected: 48, tasks_total: 6, tasks_done: 6 },
  outcomes: { ...noOutcomes(), ok: 48, filtered: 12, duplicate: 3 },
  website_visits: { ...noWebsiteVisits(), ok: 31, none: 9, blocked: 2, robots: 1 },
}
