import type { Place } from '@placefleet/shared/place'
import { cidFromKey, keyFromPlaceId, placeKey } from '@placefleet/shared/place-key'
import { onlyCountIn } from '../../answers/dom.ts'
import {
  fitLine,
  getAt,
  integerAt,
  lineAt,
  listAt,
  numberAt,
  positionAt,
  readEach,
  textAt,
  urlAt,
} from '../../answers/values.ts'

/** Returns the stable key of a place node: its data id, else what its place id decodes to. */
export function keyOf(node: unknown): string | undefined {
  const key = placeKey(textAt(node, 10)) ?? placeKey(textAt(node, 227, 0, 0))
  const id = textAt(node, 78) ?? textAt(node, 227, 0, 4)
  return key ?? (id === undefined ? undefined : keyFromPlaceId(id))
}

export const titleOf = (node: unknown): string | undefined => lineAt(node, 11) ?? lineAt(node, 101)

export function readIdentity(node: unknown, key: string): Partial<Place> {
  const local = lineAt(node, 101)
  return {
    local_title: local === titleOf(node) ? undefined : local,
    data_id: key,
    cid: cidFromKey(key),
    place_id: lineAt(node, 78) ?? lineAt(node, 227, 0, 4),
    link: urlAt(node, 27) ?? placeLink(key),
    ...readCategories(node),
    // [208] holds the position of the pin, a copy.
    ...(positionAt(getAt(node, 9)) ?? positionAt(getAt(node, 208, 0))),
    timezone: lineAt(node, 30),
  }
}

/** Returns the public URL of a place when the payload has none: the usual form, without the name. */
export const placeLink = (key: string): string => `https://www.google.com/maps/place/data=!4m2!3m1!1s${key}!10m1!1e1`

function readCategories(node: unknown): Partial<Place> {
  const names = readEach(listAt(node, 13), (name) => (typeof name === 'string' ? fitLine(name) : undefined))
  const categories = [...new Set(names)].slice(0, 100)
  return categories.length > 0 ? { category: categories[0], categories } : {}
}

const STARS = ['1', '2', '3', '4', '5'] as const
const MAX_COUNT = 1_000_000_000

/**
 * Reads rating, counts and price. A place without any data about ratings has 0 reviews. When only the count is missing,
 * the place hides it, and the count stays absent.
 */
export function readRating(node: unknown): Partial<Place> {
  const perRating = readPerRating(node)
  return {
    rating: ratingOf(node),
    review_count: reviewCountOf(node) ?? sumOf(perRating) ?? (getAt(node, 4) === undefined ? 0 : undefined),
    reviews_per_rating: perRating,
    reviews_link: urlAt(node, 4, 3, 0),
    price_range: lineAt(node, 4, 2),
  }
}

/**
 * Returns the number of reviews of a place node: the number, else the one that the words of the link to them hold
 * ("27 reviews", in any language). Undefined when these words hold another number too, or a rounded one ("1.2K").
 */
export function reviewCountOf(node: unknown): number | undefined {
  return countOf(integerAt(node, 4, 8)) ?? countOf(onlyCountIn(textAt(node, 4, 3, 1)))
}

export function ratingOf(node: unknown): number | undefined {
  const rating = numberAt(node, 4, 7)
  return rating !== undefined && rating > 0 && rating <= 5 ? rating : undefined
}

// Five counts, 1 star first. Payloads of 2021 have them only at [52][3].
function readPerRating(node: unknown): Place['reviews_per_rating'] {
  for (const counts of [listAt(node, 175, 3), listAt(node, 52, 3)]) {
    const counted = STARS.map((star, index) => [star, countOf(integerAt(counts, index))] as const)
    if (counted.some(([, count]) => count === undefined)) continue
    return Object.fromEntries(counted)
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
