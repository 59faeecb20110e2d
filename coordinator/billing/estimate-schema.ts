import { CreateJobRequest } from '@placefleet/shared/job'
import { z } from 'zod'

const job = CreateJobRequest.shape
const ignored = z.unknown().optional().describe('taken so that one body serves both calls; costs nothing')

/**
 * The body of `POST /api/v1/jobs/estimates`: any field of a job creation body, of which those without a cost are
 * ignored. Unknown fields are refused as there. Other than a job, an absent `max_results` follows from the depth, and
 * an absent `max_reviews` means about 50 a place.
 */
export const EstimateRequest = z
  .strictObject({
    keywords: job.keywords,
    depth: job.depth,
    include_emails: job.include_emails,
    max_images: job.max_images,
    max_reviews: job.max_reviews.unwrap().optional(),
    max_results: job.max_results.unwrap().optional(),
    website_filter: job.website_filter,
    name: ignored,
    language: ignored,
    lat: ignored,
    lon: ignored,
    zoom: ignored,
    radius: ignored,
    max_time: ignored,
    fast_mode: ignored,
    proxies: ignored,
  } satisfies Record<keyof typeof job, z.ZodType>)
  .meta({ id: 'EstimateRequest' })
export type EstimateRequest = z.infer<typeof EstimateRequest>

const count = z.int().min(0)
const credits = z.number().min(0).describe('credits')

/** The `estimate` of an answer (SPEC, "Estimate"). Amounts are numbers here, by SPEC. */
export const Estimate = z
  .object({
    object: z.literal('job_estimate'),
    currency: z.literal('credits'),
    places: count.describe('likely number of places'),
    places_min: count,
    places_max: count,
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
    unit_prices: z.object({
      job_start: credits,
      place_scraped: credits,
      contact_details: credits,
      review: credits,
      image: credits,
      filters_applied: credits,
    }),
    max_results_provided: z.boolean(),
    description: z.string(),
    expires_at: z.int().describe('Unix seconds until which the estimate holds'),
  })
  .meta({ id: 'Estimate' })
export type Estimate = z.infer<typeof Estimate>

/** The answer of `POST /api/v1/jobs/estimates`. */
export const EstimateAnswer = z
  .object({
    estimate: Estimate,
    balance: z.object({
      current: credits.describe('what is available: balance less holds'),
      sufficient: z.boolean().describe('whether it covers total_min'),
    }),
  })
  .meta({ id: 'EstimateAnswer' })
export type EstimateAnswer = z.infer<typeof EstimateAnswer>
