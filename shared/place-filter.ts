import { z } from 'zod'
import { areaOf } from './area/area-of.ts'
import type { Area, AreaFields } from './area/geometry.ts'
import type { Place, PlaceReference } from './place.ts'
import { textSchema } from './text.ts'
import { classifyWebsite } from './web-presence/classify.ts'
import { matchesWebsiteFilter, type WebPresence, type WebsiteFilter } from './web-presence/tiers.ts'

/** The fields of a job that keep only some places, at no cost. */
export const placeFilterFields = {
  categories: z
    .array(textSchema({ min: 1, max: 100 }))
    .min(1)
    .max(50)
    .optional()
    .describe('keep only places of one of these categories, in the language of the job, in any case'),
  min_rating: z
    .number()
    .min(0)
    .max(5)
    .optional()
    .describe('keep only places with this rating or a better one; above 0 unrated places are dropped'),
  min_review_count: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .describe('keep only places with so many reviews or more; a place whose count is hidden is kept as `limited`'),
  has_phone: z.boolean().optional().describe('true: keep only places with a phone; false: only those without one'),
  exclude_closed: z.boolean().optional().describe('drop places that are closed, permanently or temporarily'),
}

export const PlaceFilter = z.object(placeFilterFields)

/** Which places a job keeps, by what the map site says of them. */
export type PlaceFilter = z.infer<typeof PlaceFilter>

/** Returns whether a filter can drop any place. */
export const dropsPlaces = (filter: PlaceFilter): boolean =>
  PlaceFilter.keyof().options.some((field) => {
    const value = filter[field]
    return field === 'has_phone' ? value !== undefined : Boolean(value)
  })

/** The fields of a place that decide. */
export type FilteredFields = Pick<
  Partial<Place>,
  'category' | 'categories' | 'rating' | 'review_count' | 'phone' | 'closed' | 'limited'
>

/** What a filter makes of a place. `unknown`: the values that are known pass, and one that decides is not known. */
type FilterVerdict = 'kept' | 'filtered' | 'unknown'

/**
 * Judges a place. In a whole place, an absent value means that there is none, unless the map site held back details. In
 * the row of a search (`isWhole` false) it means nothing. A rating without a count means that the count is hidden; a
 * rating of 0, that the place is unrated.
 */
export function filterVerdict(place: FilteredFields, filter: PlaceFilter, isWhole: boolean): FilterVerdict {
  const absent = isWhole && !place.limited?.includes('details') ? false : undefined
  const passes = [
    inCategories(place, filter) ?? absent,
    isRatedWell(place, filter, absent),
    isReviewedOften(place, filter, absent),
    hasPhone(place, filter, absent),
    isOpen(place, filter, isWhole),
  ]
  if (passes.includes(false)) return 'filtered'
  return passes.includes(undefined) ? 'unknown' : 'kept'
}

// Capitals, because "ß" and the Greek "ς" have no letter of their own there; the Turkish "i" has two.
const inCapitals = (name: string): string => name.normalize('NFKC').trim().toUpperCase().replaceAll('İ', 'I')

function inCategories({ category, categories = [] }: FilteredFields, filter: PlaceFilter): boolean | undefined {
  if (!filter.categories) return true
  const all = category === undefined ? categories : [category, ...categories]
  if (all.length === 0) return undefined
  const accepted = new Set(filter.categories.map(inCapitals))
  return all.some((name) => accepted.has(inCapitals(name)))
}

function isRatedWell(
  { rating, review_count }: FilteredFields,
  { min_rating = 0 }: PlaceFilter,
  absent: false | undefined,
): boolean | undefined {
  if (min_rating === 0) return true
  if (rating) return rating >= min_rating
  if (review_count) return undefined
  return rating === 0 || review_count === 0 ? false : absent
}

function isReviewedOften(
  { rating, review_count }: FilteredFields,
  { min_review_count = 0 }: PlaceFilter,
  absent: false | undefined,
): boolean | undefined {
  if (min_review_count === 0) return true
  if (review_count !== undefined) return review_count >= min_review_count
  if (rating === 0) return false
  return rating ? undefined : absent
}

function hasPhone({ phone }: FilteredFields, { has_phone }: PlaceFilter, absent: false | undefined) {
  if (has_phone === undefined) return true
  if (phone !== undefined) return has_phone
  return absent === undefined ? undefined : !has_phone
}

// Without a word of its being closed, a place counts as open.
function isOpen({ closed }: FilteredFields, { exclude_closed }: PlaceFilter, isWhole: boolean): boolean | undefined {
  if (!exclude_closed) return true
  if (closed !== undefined) return false
  return isWhole ? true : undefined
}

/** Why a job rejects a place. */
type RejectionReason = 'filtered' | 'out_of_area'

/** The places that a job keeps: those of some website tiers, with some values, and within its area if it has one. */
export type JobFilter = Filters & { readonly area: Area | undefined }

/** Returns what decides which places a job keeps. Costs as much as its area has positions, so it is made once. */
export const filterOf = (fields: AreaFields & Filters): JobFilter => ({ ...fields, area: areaOf(fields) })

type Filters = PlaceFilter & { readonly website_filter: WebsiteFilter }

/** Returns whether a job can drop places for what they are, not for where. */
export const isFiltered = (filters: Filters): boolean => filters.website_filter !== 'all' || dropsPlaces(filters)

type FilterablePlace = Pick<PlaceReference, 'website' | 'latitude' | 'longitude'> & FilteredFields

/** Returns why a job rejects a collected place, or undefined when it keeps it. Pass `tier` when it is known already. */
export function rejectionReason(
  place: FilterablePlace,
  filter: JobFilter,
  tier?: WebPresence,
): RejectionReason | undefined {
  if (isOutside(place, filter)) return 'out_of_area'
  if (filterVerdict(place, filter, true) === 'filtered') return 'filtered'
  if (filter.website_filter === 'all') return undefined
  const found = tier ?? classifyWebsite(place.website).tier
  return matchesWebsiteFilter(found, filter.website_filter) ? undefined : 'filtered'
}

/**
 * Returns why a place can be rejected from what a search lists, without collecting it. A search often leaves values
 * out, so a missing one decides nothing.
 */
export function listingRejectionReason(place: FilterablePlace, filter: JobFilter): RejectionReason | undefined {
  if (isOutside(place, filter)) return 'out_of_area'
  if (filterVerdict(place, filter, false) === 'filtered') return 'filtered'
  return passesWebsiteFilter(place, filter) === false ? 'filtered' : undefined
}

/** Returns whether what a search lists is enough to know that a job keeps a place. */
export const isSurelyKept = (place: FilterablePlace, filter: JobFilter): boolean =>
  !isOutside(place, filter) &&
  filterVerdict(place, filter, false) === 'kept' &&
  passesWebsiteFilter(place, filter) === true

function passesWebsiteFilter({ website }: FilterablePlace, { website_filter }: Filters): boolean | undefined {
  if (website_filter === 'all') return true
  return website === undefined ? undefined : matchesWebsiteFilter(classifyWebsite(website).tier, website_filter)
}

// A place without coordinates cannot be shown to lie inside.
function isOutside({ latitude, longitude }: FilterablePlace, { area }: JobFilter): boolean {
  if (!area) return false
  return latitude === undefined || longitude === undefined || !area.contains({ latitude, longitude })
}
