import { eachEvent } from '@placefleet/shared/billed-events'
import { SentJobRequest } from '@placefleet/shared/job'
import { checkLimit, checkSubject, LIMIT_RULE, SUBJECT_RULE } from '@placefleet/shared/job-limits'
import { z } from 'zod'

const job = SentJobRequest.shape
const ignored = z
  .unknown()
  .optional()
  .describe('accepted, so that one body serves both calls; does not affect the cost')
const filter = z.unknown().optional().describe('with a filter more places are looked at; does not affect the cost')

const AREA = 'an area takes more searches; does not affect the cost'

/**
 * The body of `POST /api/v1/jobs/estimates`: any field of a job request. Fields that do not affect the cost are
 * ignored; unknown fields are rejected. Unlike for a job, the number of places follows from `depth` when `max_results`
 * is absent, and an absent `max_reviews` means 50 reviews per place.
 */
export const EstimateRequest = z
  .strictObject({
    keywords: job.keywords,
    places: job.places,
    depth: job.depth,
    include_emails: job.include_emails,
    max_images: job.max_images,
    max_reviews: job.max_reviews
      .unwrap()
      .optional()
      .describe('reviews per place; 50 are assumed when absent, although a job without it collects none'),
    max_results: job.max_results.describe('maximum number of places; follows from `depth` when absent'),
    max_cost: job.max_cost,
    website_filter: job.website_filter,
    categories: filter,
    min_rating: filter,
    min_review_count: filter,
    has_phone: filter,
    exclude_closed: filter,
    only_new: job.only_new,
    recheck_after: job.recheck_after,
    exhaust: job.exhaust,
    coverage: job.coverage,
    demo: job.demo,
    name: ignored,
    language: ignored,
    lat: ignored,
    lon: ignored,
    zoom: ignored,
    radius: z.unknown().optional().describe(AREA),
    near: job.near,
    area: z.unknown().optional().describe(AREA),
    bbox: z.unknown().optional().describe(AREA),
    country: ignored,
    reviews_sort: ignored,
    reviews_since: ignored,
    reviews_ratings: ignored,
    reviewer_names: ignored,
    max_time: ignored,
    fast_mode: z.unknown().optional().describe('true takes fewer requests; does not affect the cost'),
    proxies: z.unknown().optional().describe('their number decides how long the job takes; does not affect the cost'),
  } satisfies Record<keyof typeof job, z.ZodType>)
  .check(checkSubject, checkLimit('max_results'))
  .meta({
    ...SUBJECT_RULE,
    ...LIMIT_RULE,
    id: 'EstimateRequest',
    description: 'The job to estimate.',
    examples: [{ keywords: ['dentist', 'dental clinic'], depth: 5, include_emails: true }],
  })
export type EstimateRequest = z.infer<typeof EstimateRequest>

const count = z.int().min(0)
const credits = z.number().min(0).describe('credits')
const seconds = z.int().min(1)

const estimateExample = {
  object: 'job_estimate' as const,
  currency: 'credits' as const,
  places: 150,
  places_min: 80,
  places_max: 200,
  keyword_count: 2,
  places_per_keyword: 100,
  total: 0.757,
  total_min: 0.407,
  total_max: 1.007,
  breakdown: {
    job_start_cost: 0.007,
    places_cost: 0.45,
    contact_details_cost: 0.3,
    reviews_cost: 0,
    images_cost: 0,
    filter_cost: 0,
  },
  reviews: 0,
  images: 0,
  includes_emails: true,
  unit_prices: {
    job_start: 0.007,
    place_scraped: 0.003,
    contact_details: 0.002,
    review: 0.0005,
    image: 0.0005,
    filters_applied: 0.001,
  },
  max_results_provided: false,
  seconds: { low: 169, likely: 335, high: 636 },
  time_assumes: { requests: 167, exits: 1, requests_per_minute: { first: 20, most: 60 } },
  description: 'About 150 places (80 to 200) for 2 keywords.',
  expires_at: 1_772_443_800,
}

/** The `estimate` of a response. Amounts are numbers here, not strings. */
export const Estimate = z
  .object({
    object: z.literal('job_estimate'),
    currency: z.literal('credits'),
    places: count.describe('likely number of places'),
    places_min: count,
    places_max: count,
    places_within_max_cost: count
      .optional()
      .describe('places that `max_cost` pays for, at the reviews and images assumed here; absent without `max_cost`'),
    places_known: count
      .optional()
      .describe(
        'with `only_new`: places of the same keywords and area that you know, at most as many as its searches list; the other counts leave them out',
      ),
    audit_searches: count
      .optional()
      .describe(
        'with `coverage: audited`: the most searches that the audit adds. They cost nothing; places that only they find are billed',
      ),
    keyword_count: count,
    places_per_keyword: count,
    total: credits,
    total_min: credits,
    total_max: credits,
    breakdown: z.object({
      job_start_cost: credits,
      places_cost: credits,
      contact_details_cost: credits,
      reviews_cost: credits,
      images_cost: credits,
      filter_cost: credits,
    }),
    reviews: count,
    images: count,
    includes_emails: z.boolean(),
    unit_prices: z.object(eachEvent(() => credits)),
    max_results_provided: z.boolean(),
    seconds: z
      .object({ low: seconds, likely: seconds, high: seconds })
      .describe(
        'how long the job takes: the requests that it needs, at the pace of its addresses and proxies. One that pauses now counts from the end of its pause; blocks are not predicted',
      ),
    fast_mode_seconds: seconds
      .optional()
      .describe(
        'how long it likely takes with `fast_mode`, which brings only the fields of search results. Only for a job without reviews, images and emails that needs ten times the requests without it',
      ),
    time_assumes: z
      .object({
        requests: z.int().min(1).describe('requests to the map site, for `places`'),
        exits: z
          .int()
          .min(1)
          .describe(
            'addresses that send them: your proxies, else those of the operator, else the addresses of the agents, at least 1',
          ),
        requests_per_minute: z
          .object({ first: z.number(), most: z.number() })
          .describe(
            'of the first exit: now, and at most. For an agent without a limit, as of a simulated site, 600 are assumed',
          ),
      })
      .describe('what `seconds` follow from'),
    description: z.string(),
    expires_at: z.int().describe('Unix time until which the estimate holds'),
  })
  .meta({ id: 'Estimate', description: 'The likely cost of a job.', examples: [estimateExample] })
export type Estimate = z.infer<typeof Estimate>

/** The response of `POST /api/v1/jobs/estimates`. */
export const EstimateAnswer = z
  .object({
    estimate: Estimate,
    balance: z.object({
      current: credits.describe('available credits: balance minus holds'),
      sufficient: z.boolean().describe('whether the available credits cover `total_min`'),
    }),
  })
  .meta({
    id: 'EstimateAnswer',
    description: 'The likely cost of a job, and whether the account covers it.',
    examples: [{ estimate: estimateExample, balance: { current: 24.705, sufficient: true } }],
  })
export type EstimateAnswer = z.infer<typeof EstimateAnswer>
