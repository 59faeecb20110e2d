import { BILLED_EVENTS, type BilledEvent } from '@placefleet/shared/billed-events'
import { AUDIT_SEARCHES, type Coverage, MOST_AUDITED_CELLS } from '@placefleet/shared/coverage'
import { MOST, MOST_EXHAUSTING } from '@placefleet/shared/job-limits'
import type { WebsiteFilter } from '@placefleet/shared/web-presence/tiers'
import {
  costLimit,
  creditString,
  type JobCost,
  jobCost,
  type MicroCredits,
  placesWithin,
  type UnitPrices,
} from './cost.ts'
import { durationOf, type ExitPace, type Work } from './duration.ts'
import type { Estimate } from './estimate-schema.ts'

/** The fields of a job that determine its cost. */
export type CostFactors = {
  keywords: readonly string[]
  /** The places that it names. */
  places?: readonly string[] | undefined
  depth: number
  include_emails: boolean
  max_images: number
  /** Absent: 50 per place are assumed. */
  max_reviews?: number | undefined
  /** Absent: the number of places follows from the depth. */
  max_results?: number | undefined
  website_filter: WebsiteFilter
  /** Credits that the job may cost at most. */
  max_cost?: string | undefined
  /** Whether it exhausts its area. */
  exhaust?: boolean | undefined
  /** Whether it audits its coverage. */
  coverage?: Coverage | undefined
  /** How many places of the same search the user knows, which a job with `only_new` drops. Absent: none. */
  known_places?: number | undefined
}

/** The fields of a job that determine its cost and its time. */
type TimeFactors = CostFactors & {
  /** The exits that send its requests. */
  exits: readonly [ExitPace, ...ExitPace[]]
  fast_mode: boolean
  /** Whether it drops places by a filter other than the billed one. */
  has_free_filter: boolean
  /** Whether it searches an area. */
  has_area: boolean
}

type TimeEstimate = Pick<Estimate, 'seconds' | 'time_assumes' | 'fast_mode_seconds'>
export type CostEstimate = Omit<Estimate, keyof TimeEstimate>

/** The likely number of places of a job, with lower and upper bound. */
type PlaceCounts = { per_keyword: number; min: number; likely: number; max: number }

/** The cost of a job: `max` at its caps, and `min`, the lower bound of the estimate, which must be available. */
type Ceiling = { max: MicroCredits; min: MicroCredits }

/** How long an estimate holds. */
export const ESTIMATE_SECONDS = 15 * 60

// Assumed: a page shows about 20 places, a search about 120; a place has about 50 reviews and 10 images.
const PLACES_A_PAGE = 20
const PLACES_A_SEARCH = 120
const REVIEWS_A_PLACE = 50
const IMAGES_A_PLACE = 10

/** The share of the places that searches can list which they likely list. */
export const LIKELY_SHARE = 0.75

/** The largest `max_results`. */
const mostPlaces = ({ exhaust, places = [] }: CostFactors): number =>
  exhaust ? MOST_EXHAUSTING.max_results : Math.max(MOST.max_results, places.length)

/**
 * Returns the numbers of places of an estimate, without known places. Each is at least 1, and at most
 * `max_results` and what `max_cost` pays for.
 */
export function placeCounts(factors: CostFactors, prices: UnitPrices): PlaceCounts {
  const { keywords, places = [], max_results = Infinity, known_places = 0 } = factors
  const listed = mostListed(factors)
  const searched = listed - places.length
  // How many places an area has is unknown before it is searched.
  const upper = factors.exhaust ? mostPlaces(factors) : listed
  const most = Math.min(max_results, placesForMaxCost(factors, prices))
  const capped = (count: number) => Math.max(1, Math.min(Math.round(count) - known_places, most))
  return {
    per_keyword: keywords.length === 0 ? 0 : (factors.exhaust ? upper : searched) / keywords.length,
    min: capped(listed * 0.4),
    // A search may list fewer places than it could. Those that are named are mostly there.
    likely: capped(factors.exhaust ? upper * LIKELY_SHARE : places.length + searched * LIKELY_SHARE),
    max: capped(upper),
  }
}

/** Returns how many places a job names, or its searches list at most. More known places change nothing. */
export const mostListed = ({ keywords, places = [], depth }: Pick<CostFactors, 'keywords' | 'places' | 'depth'>) =>
  places.length + keywords.length * Math.min(PLACES_A_PAGE * depth, PLACES_A_SEARCH)

/** Returns how many places `max_cost` pays for, at the assumed reviews and images per place; Infinity without it. */
function placesForMaxCost(factors: CostFactors, prices: UnitPrices): number {
  return placesWithin(costLimit(factors), (places) => costOfPlaces(factors, prices, places).total)
}

/** Returns the cost of a job at its caps, and the least that must be available to create it. */
export function jobCeiling(
  job: CostFactors & { max_reviews: number; max_results: number },
  prices: UnitPrices,
): Ceiling {
  const places = job.max_results
  const atCaps = { places, reviews: places * job.max_reviews, images: places * job.max_images }
  return {
    max: Math.min(jobCost({ ...job, prices, totals: atCaps, started: true }).total, costLimit(job)),
    min: minimumCost(job, prices),
  }
}

/**
 * Returns what a job likely costs.
 * @param validUntil Unix time until which the prices are known to hold.
 */
export function estimateJob(factors: CostFactors, prices: UnitPrices, validUntil: number): CostEstimate {
  const counts = placeCounts(factors, prices)
  const { reviews, images } = totalsOf(factors, counts.likely)
  const likely = costOfPlaces(factors, prices, counts.likely)
  return {
    object: 'job_estimate',
    currency: 'credits',
    places: counts.likely,
    places_min: counts.min,
    places_max: counts.max,
    ...(factors.max_cost === undefined
      ? {}
      : { places_within_max_cost: Math.min(mostPlaces(factors), placesForMaxCost(factors, prices)) }),
    ...(factors.known_places === undefined ? {} : { places_known: factors.known_places }),
    ...(factors.coverage === 'audited' ? { audit_searches: auditSearches(factors) } : {}),
    keyword_count: factors.keywords.length,
    places_per_keyword: counts.per_keyword,
    total: creditNumber(likely.total),
    total_min: creditNumber(minimumCost(factors, prices)),
    total_max: creditNumber(costOfPlaces(factors, prices, counts.max).total),
    breakdown: breakdown(likely),
    reviews,
    images,
    includes_emails: factors.include_emails,
    unit_prices: creditPrices(prices),
    max_results_provided: factors.max_results !== undefined,
    description: describe(factors, counts, likely.total),
    expires_at: validUntil,
  }
}

/** Returns the most searches that an audit adds. They cost nothing, but the places that only they find are billed. */
const auditSearches = ({ keywords }: CostFactors) => keywords.length * MOST_AUDITED_CELLS * AUDIT_SEARCHES.length

/** Returns the least that must be available for these factors: exactly `total_min` of the estimate. */
export function minimumCost(factors: CostFactors, prices: UnitPrices): MicroCredits {
  return Math.min(costOfPlaces(factors, prices, placeCounts(factors, prices).min).total, costLimit(factors))
}

/**
 * Returns an amount as a JSON number of credits, for the estimate's fields that are numbers. For display only; never
 * calculate with it.
 */
export const creditNumber = (amount: MicroCredits): number => Number(creditString(amount))

function totalsOf({ max_reviews = REVIEWS_A_PLACE, max_images }: CostFactors, places: number) {
  return {
    places,
    reviews: places * Math.min(max_reviews, REVIEWS_A_PLACE),
    images: places * Math.min(max_images, IMAGES_A_PLACE),
  }
}

function costOfPlaces(factors: CostFactors, prices: UnitPrices, places: number): JobCost {
  return jobCost({ ...factors, prices, totals: totalsOf(factors, places), started: true })
}

/** Fast mode is offered where it saves so many of the requests. */
const FAST_MODE_GAIN = 10

/** Returns how long a job takes through its exits. With a filter it may look at everything that its searches list. */
export function estimateTime(factors: TimeFactors, prices: UnitPrices): TimeEstimate {
  const counts = placeCounts(factors, prices)
  const {
    keywords,
    places: named = [],
    website_filter,
    max_reviews = REVIEWS_A_PLACE,
    max_images,
    fast_mode,
    has_area,
    has_free_filter,
    include_emails,
  } = factors
  const reviews = Math.min(max_reviews, REVIEWS_A_PLACE)
  const images = Math.min(max_images, IMAGES_A_PLACE)
  const isFiltered = website_filter !== 'all' || has_free_filter || (factors.known_places ?? 0) > 0
  const listed = (places: number) =>
    Math.max(places, isFiltered ? Math.min(mostListed(factors), mostPlaces(factors)) : 0)
  const work = (places: number, seen: number, fast_mode: boolean): Work => ({
    keywords: keywords.length,
    named: named.length,
    listed: Math.max(0, listed(places) - named.length),
    places: seen,
    reviews,
    images,
    fast_mode,
    websites: include_emails,
    has_area,
  })
  const duration = (fast: boolean) =>
    durationOf(
      {
        low: work(counts.min, counts.min, fast),
        likely: work(counts.likely, counts.likely, fast),
        high: work(counts.max, listed(counts.max), fast),
      },
      factors.exits,
    )
  const { seconds, requests } = duration(fast_mode)
  const fast = duration(true)
  const isPlain = !fast_mode && !include_emails && reviews === 0 && images === 0
  const isOffered = isPlain && fast.requests * FAST_MODE_GAIN <= requests
  const [{ first, most }, ...others] = factors.exits
  return {
    seconds,
    ...(isOffered && { fast_mode_seconds: fast.seconds.likely }),
    time_assumes: { requests, exits: 1 + others.length, requests_per_minute: { first, most } },
  }
}

function breakdown(cost: JobCost): Estimate['breakdown'] {
  const costOf = (type: BilledEvent) => creditNumber(cost.items.find((item) => item.event_type === type)?.cost ?? 0)
  return {
    job_start_cost: costOf('job_start'),
    places_cost: costOf('place_scraped'),
    contact_details_cost: costOf('contact_details'),
    reviews_cost: costOf('review'),
    images_cost: costOf('image'),
    filter_cost: costOf('filters_applied'),
  }
}

function creditPrices(prices: UnitPrices): Estimate['unit_prices'] {
  const shown = { ...prices }
  for (const type of BILLED_EVENTS) shown[type] = creditNumber(prices[type])
  return shown
}

function describe(
  { keywords, places: named, depth, max_results, known_places }: CostFactors,
  counts: PlaceCounts,
  total: MicroCredits,
): string {
  const words = keywords.length === 1 ? '1 keyword' : `${keywords.length} keywords`
  const searches = keywords.length === 0 ? [] : [`${words} at depth ${depth}`]
  const inputs = named ? [named.length === 1 ? '1 named place' : `${named.length} named places`] : []
  const cap = max_results === undefined ? '' : `, at most ${max_results} places`
  const kind = known_places === undefined ? 'places' : `new places, beside ${known_places} known ones,`
  const places = `About ${counts.likely} ${kind} (${counts.min} to ${counts.max})`
  return `${places} for ${[...searches, ...inputs].join(' and ')}${cap}: about ${creditString(total)} credits.`
}
