import type { Place } from '@placefleet/shared/place'
import { lineAt } from '../../answers/fit.ts'
import { getAt, integerAt, listAt, numberAt } from '../../answers/index-path.ts'
import { urlAt } from '../../answers/site-url.ts'

const STARS = ['1', '2', '3', '4', '5'] as const
const MAX_COUNT = 1_000_000_000

/**
 * Rating, counts and price. No rating means unrated, and nothing at all about ratings that nobody has rated it. No count
 * beside the rest means that the site hides it: unknown is not zero, so it stays absent.
 */
export function readRating(node: unknown): Pick<Place, RatingField> {
  const perRating = readPerRating(node)
  return {
    rating: ratingOf(node),
    review_count: countOf(integerAt(node, 4, 8)) ?? sumOf(perRating) ?? (getAt(node, 4) === undefined ? 0 : undefined),
    reviews_per_rating: perRating,
    reviews_link: urlAt(node, 4, 3, 0),
    price_range: lineAt(node, 4, 2),
  }
}
type RatingField = 'rating' | 'review_count' | 'reviews_per_rating' | 'reviews_link' | 'price_range'

/** The rating of a place node, absent when unrated. */
export function ratingOf(node: unknown): number | undefined {
  const rating = numberAt(node, 4, 7)
  return rating !== undefined && rating > 0 && rating <= 5 ? rating : undefined
}

// Five counts, one star first; [52][3] is the only source in payloads of 2021.
function readPerRating(node: unknown): Place['reviews_per_rating'] {
  for (const counts of [listAt(node, 175, 3), listAt(node, 52, 3)]) {
    const found = STARS.map((star, index) => [star, countOf(integerAt(counts, index))] as const)
    if (found.some(([, count]) => count === undefined)) continue
    return Object.fromEntries(found)
  }
  return undefined
}

function sumOf(perRating: Place['reviews_per_rating']): number | undefined {
  if (perRating === undefined) return undefined
  return countOf(STARS.reduce((sum, star) => sum + (perRating[star] ?? 0), 0))
}

function countOf(value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 && value <= MAX_COUNT ? value : undefined
}
