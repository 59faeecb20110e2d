import { z } from 'zod'
import { hasArea } from './area/area-of.ts'
import { Bbox, Geometry } from './area/geometry.ts'
import { Coverage } from './coverage.ts'
import { dataExample, jobExample, orderExample } from './job-example.ts'
import { checkLimit, checkSubject, dependentFields, MOST, MOST_EXHAUSTING, MOST_PLACES, USUAL } from './job-limits.ts'
import { JOB_STATUSES } from './job-status.ts'
import { keywords, places } from './job-subject.ts'
import { LANGUAGES, languageFault } from './language.ts'
import { LimitedReason, OutcomeCounts } from './outcome.ts'
import { placeFilterFields } from './place-filter.ts'
import { PROXY_FORMS, Proxies } from './proxy-url.ts'
import { reviewFields } from './review-options.ts'
import { otherCentreAt } from './search-link.ts'
import { country, textSchema } from './text.ts'
import { WEBSITE_FILTERS } from './web-presence/tiers.ts'
import { WebsiteVisits } from './website-visits.ts'

/** An amount of credits in a request, exact to a micro-credit. 1 credit = 1 USD. */
export const CreditAmount = z
  .string()
  .regex(
    /^(0|[1-9]\d{0,8})(\.\d{1,6})?$/,
    'must be an amount of credits in a string, e.g. "1.50": digits with at most 6 decimals',
  )

const depth = z.int().min(1).max(20).describe('pages of each search, about 20 places each')

const LATITUDE = /^(|[+-]?0?([0-8]?\d(\.\d{1,20})?|90(\.0{1,20})?))$/
const LONGITUDE = /^(|[+-]?((0?\d{1,2}|1[0-7]\d)(\.\d{1,20})?|180(\.0{1,20})?))$/

/** A coordinate: decimal degrees in a string. Empty means not given. */
const coordinate = (form: RegExp, limit: number, example: string) =>
  z
    .string()
    .max(32)
    .regex(form, {
      error: `must be decimal degrees between -${limit} and ${limit} with a point, not a comma, e.g. "${example}"`,
    })

const jobFields = {
  name: textSchema({ min: 1, max: 200 }).describe('a name for you; exported files are named after it'),
  keywords: keywords.default([]),
  places: places.optional(),
  language: z
    .enum(LANGUAGES, { error: languageFault })
    .describe('the language of the map site and of its texts about places'),
  depth: depth.default(5),
  include_emails: z
    .boolean()
    .default(false)
    .describe(
      'visit business websites for emails, phones and profiles; `contact_details` is billed for every place, with or without a website',
    ),
  max_images: z.int().min(0).max(500).default(0).describe('images per place; 0 collects none'),
  max_reviews: z
    .int()
    .min(0)
    .max(500)
    .default(0)
    .describe('reviews per place; 0 collects none. An estimate without this field assumes 50'),
  ...reviewFields,
  max_results: z
    .int()
    .min(1)
    .max(MOST_EXHAUSTING.max_results)
    .optional()
    .describe(
      `places for the whole job: 1 to ${MOST.max_results}, by default ${USUAL.max_results}; with \`places\` up to ${MOST_PLACES}, by default their number; with \`exhaust\` up to ${MOST_EXHAUSTING.max_results}, which is also the default`,
    ),
  max_cost: CreditAmount.optional().describe(
    'the most credits that the job may cost; at this limit it ends as completed and `partial`',
  ),
  website_filter: z
    .enum(WEBSITE_FILTERS)
    .default('all')
    .describe('keep only places with, or only places without their own website'),
  ...placeFilterFields,
  only_new: z
    .boolean()
    .optional()
    .describe(
      'drop places that you know from earlier jobs or uploads; they cost nothing and do not count for `max_results`',
    ),
  recheck_after: z
    .int()
    .min(1)
    .max(3_650)
    .optional()
    .describe('with `only_new`: days after which a known place counts as new again'),
  exhaust: z
    .boolean()
    .optional()
    .describe(
      'search on until the searches of the area find next to no new place; needs an area (`area`, `bbox`, `near`, or `lat`, `lon` and `radius`) and `max_cost`',
    ),
  coverage: Coverage.optional().describe(
    'what `GET /jobs/{id}/coverage` tells: `cells` records which parts of the area were searched, `audited` also searches some of them once more, in other ways, to estimate how many places were missed. Default: `cells` with an area, else `none`. With `exhaust` always `cells`',
  ),
  lat: coordinate(LATITUDE, 90, '34.6786').default('').describe('latitude of the centre of the search'),
  lon: coordinate(LONGITUDE, 180, '33.0413').default('').describe('longitude of the centre of the search'),
  country: country
    .optional()
    .describe('country whose view of the map is used (ISO 3166, lower case); default: the country of `lat`, `lon`'),
  zoom: z
    .int()
    .min(0)
    .max(21)
    .default(0)
    .describe('zoom of the map; 0: the closest that shows `radius`, and without a radius 14, about a town quarter'),
  radius: z
    .int()
    .min(0)
    .max(50_000)
    .default(0)
    .describe('metres around `lat`, `lon`; places outside are dropped. 0 is unlimited'),
  near: textSchema({ min: 1, max: 100 })
    .optional()
    .describe(
      'a town as the centre, instead of `lat` and `lon`: its name, e.g. "Limassol", and where several have it also its region or country, e.g. "Berlin, DE" or "Springfield, IL, US". Without a `radius`, one by its size is used: 2 to 50 km. The job then has the `lat`, `lon` and `radius`. Several towns: 400 with the candidates',
    ),
  area: Geometry.optional().describe(
    'the area as GeoJSON; places outside are dropped. Instead of `lat`, `lon` and `radius`',
  ),
  bbox: Bbox.optional().describe(
    'the area as a box `[west, south, east, north]` in degrees; places outside are dropped. With `west` above `east` it lies across the date line. Instead of `lat`, `lon` and `radius`',
  ),
  max_time: z
    .int()
    .min(1)
    .max(MOST_EXHAUSTING.max_time)
    .optional()
    .describe(
      `the longest duration in seconds, counted from \`started_at\`; then the job ends and keeps its stored places: 1 to ${MOST.max_time}, by default ${USUAL.max_time}; with \`exhaust\` up to ${MOST_EXHAUSTING.max_time}, which is also the default. Time in which the map site refuses every address and proxy of the job does not count, up to \`max_time\` once more and a day at most; \`progress.waiting_until\` says until when. A pending job that no connected agent may take fails after a day (\`no_agent\`), or the time that the operator chose, and is not billed`,
    ),
  fast_mode: z.boolean().default(false).describe('collect only the fields of the search results; several times faster'),
  demo: z
    .boolean()
    .optional()
    .describe('collect from the simulated city of `npm start`, at no cost; other deployments have no such city'),
  proxies: Proxies.default([]).describe(`your own proxies, all together at most 32 KiB: ${PROXY_FORMS}`),
}

/** The body of `POST /api/v1/jobs` as it is sent. Unknown fields are rejected: a typo in a cap must not cost money. */
export const SentJobRequest = z
  .strictObject(jobFields)
  .check(checkSubject, checkLimit('max_results'), checkLimit('max_time'))
  .check((context) => {
    const job = context.value
    const fault = (path: string, message: string) =>
      context.issues.push({ code: 'custom', input: job, path: [path], message })
    const shapes = (['area', 'bbox', 'near'] as const).filter((field) => job[field] !== undefined)
    const [shape, second = job.lat !== '' || job.lon !== '' ? 'lat and lon' : undefined] = shapes
    if (shape && second) fault(shape, `cannot be sent with ${second}; send one of them`)
    if ((job.lat === '') !== (job.lon === ''))
      fault(job.lat === '' ? 'lat' : 'lon', 'is needed: send lat and lon together')
    const hasCentre = job.lat !== '' || job.lon !== '' || job.near !== undefined
    if (!hasCentre && job.radius > 0) fault('radius', 'needs lat and lon, or near')
    if (!hasCentre && job.zoom > 0) fault('zoom', 'needs lat and lon, or near')
    const elsewhere = otherCentreAt(job)
    if (elsewhere >= 0)
      fault(`keywords.${elsewhere}`, 'names another centre than a link before it; send a job for each')
    if (job.recheck_after !== undefined && !job.only_new) fault('recheck_after', 'needs only_new: true')
    if (job.exhaust) {
      if (job.keywords.length === 0) fault('keywords', 'is needed with exhaust: true')
      if (!hasArea(job) && job.near === undefined) {
        fault('exhaust', 'needs an area: area, bbox, near, or lat, lon and radius')
      }
      if (job.max_cost === undefined) fault('max_cost', 'is needed with exhaust: true')
    }
  })
  .meta({
    id: 'CreateJobRequest',
    description: 'The search, the fields to collect, and the limits of a job.',
    examples: [orderExample],
    ...dependentFields,
  })

export type SentJobRequest = z.infer<typeof SentJobRequest>

/** Adds the limits that a request leaves to the service. */
export function withLimits<Request extends Omit<SentJobRequest, 'near'>>(job: Request) {
  const limits = job.exhaust ? MOST_EXHAUSTING : USUAL
  const most = (!job.exhaust && job.places?.length) || limits.max_results
  return { ...job, max_results: job.max_results ?? most, max_time: job.max_time ?? limits.max_time }
}

/** The body of `POST /api/v1/jobs` with all limits. A centre is in place of `near`. */
export const CreateJobRequest = SentJobRequest.transform(({ near: _, ...job }) => withLimits(job))
export type CreateJobRequest = z.infer<typeof CreateJobRequest>

/** The configuration of a job as the API shows it: without the proxies, which are secrets. */
export const JobData = z
  .object(jobFields)
  .omit({ name: true, proxies: true, near: true })
  .extend({
    keywords: z.array(keywords.element).describe('empty for a job that has only `places`'),
    max_results: jobFields.max_results.unwrap(),
    max_time: jobFields.max_time.unwrap(),
    proxy_count: z.int().min(0).describe('number of proxies; their addresses are never shown'),
  })
  .meta({ id: 'JobData', description: 'The configuration of a job as it was submitted.', examples: [dataExample] })
export type JobData = z.infer<typeof JobData>

const count = z.int().min(0)
const timestamp = z.iso.datetime()

/** Why a job that exhausts its area left something. */
const PARTIAL_REASONS = ['max_cost', 'max_results', 'max_time', 'blocked'] as const
export type PartialReason = (typeof PARTIAL_REASONS)[number]

/** How many places an area has. */
const TotalEstimate = z.object({
  total: count.describe('likely number of places in the area, found or not'),
  low: count,
  high: count.describe('the total is between `low` and `high` in 95 of 100 cases'),
  confidence: z.literal(0.95),
})

export const Job = z
  .object({
    id: z.uuid(),
    name: z.string().describe('the name from the request'),
    status: z.enum(JOB_STATUSES).describe('`completed`, `failed` and `cancelled` are final'),
    data: JobData,
    created_at: timestamp,
    updated_at: timestamp.describe('when the status last changed'),
    started_at: timestamp.optional(),
    ended_at: timestamp.optional(),
    source: z.enum(['api', 'web']).describe('created with an API key, or from the console'),
    monitor_id: z.uuid().optional().describe('the monitor that created it'),
    result_count: count.describe('places stored so far'),
    total_cost: z.string().describe('credits, with 6 decimals'),
    failure_reason: z.string().optional().describe('only when failed; begins with an identifier, e.g. `blocked: …`'),
    cancel_reason: z.enum(['user', 'timeout']).optional(),
    partial: z
      .boolean()
      .optional()
      .describe('true when places may be missing: some tasks failed, or `max_cost` or the credits were used up'),
    partial_reason: z
      .enum(PARTIAL_REASONS)
      .optional()
      .describe(
        'with `exhaust`, when it is partial: the limit that ended it, or `blocked`: the map site did not answer for parts of the area',
      ),
    coverage: z
      .object({
        exhausted: z.boolean().describe('whether its searches found next to no new place at the end'),
        found: count.describe('places stored so far'),
        estimate: TotalEstimate.optional().describe('of an ended job'),
      })
      .optional()
      .describe('only with `exhaust`: how complete it is'),
    progress: z.object({
      discovered: count,
      collected: count,
      tasks_total: count,
      tasks_done: count,
      waiting_until: timestamp
        .optional()
        .describe('when a waiting job continues; this time does not count against `max_time`, within its bounds'),
      waiting_reason: z
        .enum(['blocked', 'unknown', 'no_agent'])
        .optional()
        .describe(
          'why the job waits; `blocked`: the map site refuses every address and proxy for now; waiting spends no attempt. `unknown`: it sends only answers that nobody knows, and requests pause as after a block. `no_agent`: no agent is connected that may take the job',
        ),
      eta: timestamp.optional().describe('when the job likely ends, by its speed so far; absent while that is unknown'),
    }),
    outcomes: OutcomeCounts,
    limited_reason: LimitedReason.optional().describe(
      'why places are `limited` or missing, when it was not only the map site; `chromium_unavailable`: an agent needed Chromium for more, and could not start it',
    ),
    website_visits: WebsiteVisits.optional().describe('only with `include_emails`'),
  })
  .meta({ id: 'Job', description: 'A job and its results so far.', examples: [jobExample] })
export type Job = z.infer<typeof Job>
