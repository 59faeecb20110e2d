import { type Area, type AreaFields, areaOf } from './area/area.ts'
import type { PlaceReference } from './place.ts'
import { classifyWebsite } from './web-presence/classify.ts'
import { matchesWebsiteFilter, type WebPresence, type WebsiteFilter } from './web-presence/tiers.ts'

/** Why a job rejects a place. */
type RejectionReason = 'filtered' | 'out_of_area'

/** The places that a job keeps: those of some website tiers, and those within its area if it has one. */
export type JobFilter = { readonly area: Area | undefined; readonly website_filter: WebsiteFilter }

/** Returns what decides which places a job keeps. Costs as much as its area has positions, so it is made once. */
export const filterOf = ({ website_filter, ...fields }: AreaFields & Pick<JobFilter, 'website_filter'>): JobFilter => ({
  area: areaOf(fields),
  website_filter,
})

type Located = Pick<PlaceReference, 'website' | 'latitude' | 'longitude'>

/** Returns why a job rejects a collected place, or undefined when it keeps it. Pass `tier` when it is known already. */
export function rejectionReason(place: Located, filter: JobFilter, tier?: WebPresence): RejectionReason | undefined {
  if (isOutside(place, filter)) return 'out_of_area'
  if (filter.website_filter === 'all') return undefined
  const found = tier ?? classifyWebsite(place.website).tier
  return matchesWebsiteFilter(found, filter.website_filter) ? undefined : 'filtered'
}

/**
 * Returns why a place can be rejected from what a search lists, without collecting it. A search often leaves the
 * website out, so a missing website decides nothing.
 */
export function listingRejectionReason(place: Located, filter: JobFilter): RejectionReason | undefined {
  if (place.website !== undefined) return rejectionReason(place, filter)
  return isOutside(place, filter) ? 'out_of_area' : undefined
}

// A place without coordinates cannot be shown to lie inside.
function isOutside({ latitude, longitude }: Located, { area }: JobFilter): boolean {
  if (!area) return false
  return latitude === undefined || longitude === undefined || !area.contains({ latitude, longitude })
}
