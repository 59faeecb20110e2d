import { z } from 'zod'
import type { Review } from './review.ts'

export const REVIEW_ORDERS = ['newest', 'relevant', 'highest', 'lowest'] as const
export type ReviewOrder = (typeof REVIEW_ORDERS)[number]

/** The fields of a job about reviews. */
export const reviewFields = {
  reviews_sort: z
    .enum(REVIEW_ORDERS)
    .default('newest')
    .describe(
      'order in which reviews are read, up to `max_reviews`. With `newest` and `relevant` the reviews that the page of the place shows come first (`user_reviews`)',
    ),
  reviews_since: z.iso
    .date('must be a date, e.g. "2026-01-31"')
    .optional()
    .describe('older reviews are neither stored nor billed: a date in UTC, e.g. `2026-01-31`'),
  reviews_ratings: z
    .array(z.int().min(1).max(5))
    .min(1)
    .max(5)
    .optional()
    .describe('store and bill only reviews with these stars, e.g. `[1, 2]`'),
  reviewer_names: z
    .boolean()
    .default(true)
    .describe('false: reviews are stored without the name, link and picture of their writers'),
}

/** Which reviews a job wants, in which order, and whether it wants to know who wrote them. */
export type ReviewOptions = z.infer<z.ZodObject<typeof reviewFields>>

/**
 * Returns the reviews that a job wants, in their order: those of `reviews_since` or later with one of
 * `reviews_ratings`, without their writers if `reviewer_names` is false. A review without a date or a rating cannot be
 * shown to pass, so it does not.
 */
export function matchingReviews(reviews: readonly Review[], options: ReviewOptions): Review[] {
  const matching = reviews.filter((review) => isRecent(review, options) && isRated(review, options))
  return options.reviewer_names ? matching : matching.map(withoutWriter)
}

/**
 * Returns whether a list that was read up to `last` can hold no further match, because its order puts only older
 * ones, or only ones with other ratings, behind it.
 */
export function endsMatches(last: Review | undefined, options: ReviewOptions): boolean {
  const { reviews_sort, reviews_since, reviews_ratings = [] } = options
  if (!last) return false
  if (reviews_sort === 'newest') {
    return reviews_since !== undefined && last.published_at !== undefined && !isRecent(last, options)
  }
  if (reviews_sort === 'relevant' || reviews_ratings.length === 0 || last.rating === undefined) return false
  const stars = starsOf(last.rating)
  return reviews_sort === 'highest' ? stars < Math.min(...reviews_ratings) : stars > Math.max(...reviews_ratings)
}

// ISO times in UTC sort like their texts.
const isRecent = ({ published_at = '' }: Review, { reviews_since = '' }: ReviewOptions): boolean =>
  published_at >= reviews_since

const isRated = ({ rating }: Review, { reviews_ratings }: ReviewOptions): boolean =>
  reviews_ratings === undefined || (rating !== undefined && reviews_ratings.includes(starsOf(rating)))

/** Returns whole stars. Ratings from other sites have fractions. */
const starsOf = (rating: number): number => Math.round(rating)

function withoutWriter({ author: _, author_url: __, profile_picture: ___, ...review }: Review): Review {
  return review
}
