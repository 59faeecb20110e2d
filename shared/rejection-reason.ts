import { type Area, circleOf, metresBetween } from './great-circle.ts'
import type { PlaceReference } from './place.ts'
import { classifyWebsite } from './web-presence/classify.ts'
import { matchesWebsiteFilter, type WebsiteFilter } from './web-presence/tiers.ts'

/** Why a place is not wanted by its job. */
export type Unwanted = 'filtered' | 'out_of_area'

/** What a job wants: places of a website tier, those within its area if it is confined to one. */
export type Wanted = Area & { readonly website_filter: WebsiteFilter }

type Located = Pick<PlaceReference, 'website' | 'latitude' | 'longitude'>

/** Why a collected place is dropped, or undefined when the job keeps it. `tier` spares those who know it the question. */
export function rejectionReason(
  place: Located,
  wanted: Wanted,
  tier = classifyWebsite(place.website).tier,
): Unwanted | undefined {
  if (isOutside(place, wanted)) return 'out_of_area'
  return matchesWebsiteFilter(tier, wanted.website_filter) ? undefined : 'filtered'
}

/**
 * Why a place that a search lists can be dropped without collecting it, judged only by what the search does show: a list
 * often leaves the website out, so that its absence says nothing.
 */
export function certainlyUnwanted(place: Located, wanted: Wanted): Unwanted | undefined {
  if (place.website !== undefined) return rejectionReason(place, wanted)
  return isOutside(place, wanted) ? 'out_of_area' : undefined
}

// A place without coordinates cannot be shown to lie inside.
function isOutside({ latitude, longitude }: Located, area: Area): boolean {
  const circle = circleOf(area)
  if (!circle) return false
  if (latitude === undefined || longitude === undefined) return true
  return metresBetween(circle, { latitude, longitude }) > circle.radius
}
