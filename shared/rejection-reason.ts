import type { Area, AreaFields } from './area/area.ts'
import { areaOf } from './area/area-of.ts'
import type { PlaceReference } from './place.ts'
import { dropsPlaces, type FilteredFields, filterVerdict, type PlaceFilter } from './place-filter.ts'
import { classifyWebsite } from './web-presence/classify.ts'
import { matchesWebsiteFilter, type WebPresence, type WebsiteFilter } from './web-presence/tiers.ts'

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
