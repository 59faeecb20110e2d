import { resultExample } from '@placefleet/coordinator/results/schema'
import { dataExample } from '@placefleet/shared/job-example'
import { noOutcomes } from '@placefleet/shared/outcome'
import type { Routes, Schemas } from './fake-api.ts'

/** A time in the past, in whole seconds. */
const BEGUN = '2026-01-05T08:00:00.000Z'

/** Returns the same id for a number each time. */
export const idOf = (number: number): string => `0b7a2a6e-6f0c-4c1e-9f6f-${String(number).padStart(12, '0')}`

type Given<Schema> = Partial<Schema>

export const currentSession = (user: Given<Schemas['CurrentSession']['user']> = {}): Schemas['CurrentSession'] => ({
  user: { id: idOf(1), email: 'ada@example.com', role: 'user', ...user },
  csrf: 'same-origin',
  expires_at: BEGUN,
  sells_credits: true,
  limits: { active_jobs: 5, burst: 100, key_burst: 100, key_requests_per_second: 10, requests_per_second: 10 },
})

const JOB_DATA: Schemas['JobData'] = {
  ...dataExample,
  keywords: ['hotel'],
  lat: '52.52',
  lon: '13.405',
  zoom: 15,
  depth: 1,
  include_emails: false,
  max_time: 3_600,
  reviewer_names: false,
  website_filter: 'all',
}

/** A job that has ended. */
export const job = (given: Given<Schemas['Job']> = {}): Schemas['Job'] => ({
  id: idOf(10),
  name: 'Hotels',
  status: 'completed',
  source: 'web',
  created_at: BEGUN,
  started_at: BEGUN,
  ended_at: BEGUN,
  updated_at: BEGUN,
  data: JOB_DATA,
  outcomes: noOutcomes(),
  progress: { collected: 0, discovered: 0, tasks_done: 1, tasks_total: 1 },
  result_count: 0,
  total_cost: '0.000000',
  ...given,
})

export const jobList = (jobs: Schemas['Job'][], given: Given<Schemas['JobList']> = {}): Schemas['JobList'] => ({
  jobs,
  total: jobs.length,
  page: 1,
  limit: 25,
  has_more: false,
  ...given,
})

export const place = (id: number, given: Given<Schemas['Result']> = {}): Schemas['Result'] => ({
  id,
  job_id: idOf(10),
  user_id: idOf(1),
  title: `Place ${id}`,
  category: 'Hotel',
  address: 'Main Street 1',
  phone: '',
  website: '',
  emails: '',
  images: [],
  open_hours: {},
  user_reviews: [],
  rating: 4.5,
  web_presence: 'none',
  created_at: BEGUN,
  ...given,
})

/** A page of the places of a job, in their order. */
export const placePage = (places: Schemas['Result'][], query = new URLSearchParams()): Schemas['ResultPage'] => {
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 100)]
  return {
    results: places.slice((page - 1) * limit, page * limit),
    total: places.length,
    page,
    limit,
    has_more: places.length > page * limit,
    web_presence_counts: { booking: 0, builder: 0, directory: 0, has: 0, none: places.length, social: 0 },
  }
}

/** What the page of a job reads besides it. */
export const jobRoutes = (given: Schemas['Job'], places: Schemas['Result'][] = []): Routes => ({
  'GET /api/v1/jobs/{id}': given,
  'GET /api/v1/jobs/{id}/results': ({ query }) => placePage(places, query),
  'GET /api/v1/jobs/{id}/costs': {
    job_id: given.id,
    items: [],
    total_credits: '0.000000',
    total_rounded: 0,
    held_credits: '0.000000',
  },
  'GET /api/v1/jobs/{id}/coverage': {
    coverage: 'none',
    found: 0,
    cells: { blocked: 0, cut: 0, searched: 0, unsearched: 0 },
  },
  'GET /api/v1/jobs/{id}/tasks': { tasks: [], has_more: false },
})

export const monitor = (given: Given<Schemas['Monitor']> = {}): Schemas['Monitor'] => ({
  id: idOf(20),
  name: 'Weekly',
  schedule: { cron: '0 6 * * 1', timezone: 'Europe/Berlin' },
  jitter_seconds: 0,
  paused: false,
  watch_ratings: false,
  knows_area: true,
  next_runs: [],
  job: { ...JOB_DATA, name: 'Weekly' },
  created_at: BEGUN,
  updated_at: BEGUN,
  ...given,
})

export const apiKey = (given: Given<Schemas['ApiKey']> = {}): Schemas['ApiKey'] => ({
  id: idOf(30),
  name: 'Office',
  key_hint_prefix: 'svc_abcd',
  key_hint_suffix: 'wxyz',
  created_at: BEGUN,
  usage_count: 0,
  ...given,
})

export const webhook = (given: Given<Schemas['Webhook']> = {}): Schemas['Webhook'] => ({
  id: idOf(40),
  name: 'Orders',
  url: 'https://hooks.example.com/',
  event_types: ['job.completed', 'job.failed', 'job.cancelled'],
  health_state: 'healthy',
  consecutive_failures: 0,
  created_at: BEGUN,
  updated_at: BEGUN,
  ...given,
})

export const balance = (given: Given<Schemas['CreditBalance']> = {}): Schemas['CreditBalance'] => ({
  user_id: idOf(1),
  available: '25.000000',
  credit_balance: '25.000000',
  held: '0.000000',
  total_credits_purchased: '0.000000',
  ...given,
})

/** What the pages of a user read who has made nothing. */
export const NOTHING_MADE: Routes = {
  'GET /livez': { status: 'ok' },
  'GET /auth/providers': { providers: [] },
  'GET /auth/sessions': [],
  'GET /api/v1/api-keys': [],
  'GET /api/v1/credits/balance': balance(),
  'GET /api/v1/credits/history': { transactions: [], total: 0, page: 1, limit: 25, has_more: false },
  'GET /api/v1/credits/spending': { days: [] },
  'GET /api/v1/dashboard': { kpi: { active_jobs: 0, jobs_today: 0, places_scraped_total: 0 }, recent_jobs: [] },
  'GET /api/v1/jobs': jobList([]),
  'GET /api/v1/known-places': { known_places: [], has_more: false },
  'GET /api/v1/monitors': { monitors: [] },
  'GET /api/v1/webhooks': [],
}

/** What the form of a job reads once it says what to search for: an estimate that the credits cover. */
export const ESTIMATE: Routes = {
  'POST /api/v1/jobs/estimates': {
    balance: { current: 25, sufficient: true },
    estimate: {
      object: 'job_estimate',
      description: 'A job',
      currency: 'credits',
      expires_at: 0,
      keyword_count: 1,
      places: 1,
      places_min: 1,
      places_max: 1,
      places_per_keyword: 1,
      max_results_provided: true,
      includes_emails: false,
      reviews: 0,
      images: 0,
      total: 1,
      total_min: 1,
      total_max: 1,
      seconds: { low: 1, likely: 2, high: 3 },
      time_assumes: { exits: 1, requests: 1, requests_per_minute: { first: 1, most: 1 } },
      breakdown: {
        contact_details_cost: 0,
        filter_cost: 0,
        images_cost: 0,
        job_start_cost: 0,
        places_cost: 1,
        reviews_cost: 0,
      },
      unit_prices: { contact_details: 0, filters_applied: 0, image: 0, job_start: 0, place_scraped: 1, review: 0 },
    },
  },
}

export const knownPlace = (place_key: string, given: Given<Schemas['KnownPlace']> = {}): Schemas['KnownPlace'] => ({
  place_key,
  first_seen_at: BEGUN,
  last_seen_at: BEGUN,
  collected_at: BEGUN,
  ...given,
})

export const session = (number: number, given: Given<Schemas['Session']> = {}): Schemas['Session'] => ({
  id: idOf(number),
  current: false,
  signed_in_by: 'link',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  created_at: BEGUN,
  last_used_at: BEGUN,
  expires_at: BEGUN,
  ...given,
})

/** A delivery that the receiver took. */
export const delivery = (given: Given<Schemas['WebhookDelivery']> = {}): Schemas['WebhookDelivery'] => ({
  id: idOf(50),
  event_type: 'job.completed',
  status: 'delivered',
  body: '{}',
  attempt_count: 1,
  attempts: [{ number: 1, at: BEGUN, duration_ms: 12, status_code: 204 }],
  created_at: BEGUN,
  ended_at: BEGUN,
  ...given,
})

export const deliveryPage = (deliveries: Schemas['WebhookDelivery'][]): Schemas['WebhookDeliveryPage'] => ({
  deliveries,
  total: deliveries.length,
  page: 1,
  limit: 25,
  has_more: false,
})

/** What the pages of operators read while nothing is wrong and nobody is there. */
export const QUIET_FLEET: Routes = {
  'GET /api/v1/admin/activity': { hours: [] },
  'GET /api/v1/admin/agents': { agents: [] },
  'GET /api/v1/admin/doctor': { healthy: true, advice: [], reasons: [], checks: [], failed_tasks: [] },
  'GET /api/v1/admin/exits': { exits: [] },
  'GET /api/v1/admin/jobs': { jobs: [], page: 1, limit: 25, has_more: false },
  'GET /api/v1/admin/prices': { prices: [] },
  'GET /api/v1/admin/queue': {
    fleet: { busy: 0, connected: 0, draining: 0, resting: {}, silent: 0, slots: 0 },
    jobs: { aborting: 0, late: 0, pending: 0, running: 0 },
    tasks: { refused: 0, released: 0, running: 0, unclaimed: 0, waiting: 0 },
  },
  'GET /api/v1/admin/support': { requests: [] },
  'GET /api/v1/admin/tasks/dead': { tasks: [] },
  'GET /api/v1/admin/unknown-answers': { answers: [] },
  'GET /api/v1/admin/users': { users: [], total: 0, page: 1, limit: 25, has_more: false },
}

/** An agent that is connected and holds no task. */
export const agent = (given: Given<Schemas['Agent']> = {}): Schemas['Agent'] => ({
  id: 'cellar',
  name: 'cellar',
  host: 'h',
  state: 'connected',
  enrolled: true,
  places_per_minute: 0,
  running: 0,
  busy: 0,
  slots: 2,
  version: '1',
  protocol: 2,
  first_seen_at: BEGUN,
  last_seen_at: BEGUN,
  ...given,
})

/** An address that was not used yet. */
export const exit = (given: Given<Schemas['Exit']> = {}): Schemas['Exit'] => ({
  id: 'exit-1',
  kind: 'direct',
  agents: [],
  rate_per_minute: 0,
  verdicts: {},
  ...given,
})

export const user = (given: Given<Schemas['User']> = {}): Schemas['User'] => ({
  id: idOf(2),
  email: 'eve@example.com',
  role: 'user',
  linked: false,
  paid: false,
  created_at: BEGUN,
  ...given,
})

export const anyJob = (given: Given<Schemas['AnyJob']> = {}): Schemas['AnyJob'] => ({
  ...job(),
  user_id: idOf(2),
  email: 'eve@example.com',
  ...given,
})

/** A task that failed in its first attempt. */
export const anyTask = (given: Given<Schemas['AnyTask']> = {}): Schemas['AnyTask'] => ({
  id: idOf(70),
  job_id: job().id,
  kind: 'discover',
  keyword: 'hotel',
  ordinal: 0,
  state: 'failed',
  stored: 0,
  created_at: BEGUN,
  attempts: [
    {
      number: 1,
      agent: 'cellar',
      agent_id: 'cellar',
      started_at: BEGUN,
      ended_at: BEGUN,
      result: 'failed',
      reason: 'proxies_failed',
    },
  ],
  ...given,
})

/** A place with what its owner offers and what visitors ask. */
export const FULL_PLACE: Schemas['Result'] = { ...resultExample, id: 1, job_id: idOf(10), claimed: false }

export const run = (given: Given<Schemas['MonitorRun']> = {}): Schemas['MonitorRun'] => ({
  state: 'completed',
  due_at: BEGUN,
  places: 0,
  new: 0,
  changed: 0,
  gone: 0,
  back: 0,
  cost: '0.000000',
  ...given,
})

export const change = (given: Given<Schemas['Change']> = {}): Schemas['Change'] => ({
  sequence: 1,
  type: 'changed',
  place_key: '0x1:0x2',
  job_id: job().id,
  seen_at: BEGUN,
  ...given,
})
