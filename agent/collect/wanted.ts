import type { PlaceReference } from '@placefleet/shared/place'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import { matchesWebsiteFilter } from '@placefleet/shared/web-presence/tiers'
import { metresBetween } from '../maps/area/great-circle.ts'
import { circleOf } from './search-of.ts'
import type { TaskParameters } from './task.ts'

/** Why a place is not wanted by its job. */
export type Unwanted = 'filtered' | 'out_of_area'

type Located = Pick<PlaceReference, 'website' | 'latitude' | 'longitude'>

/** Why a collected place is dropped, or undefined when the job keeps it. */
export function unwanted(place: Located, parameters: TaskParameters): Unwanted | undefined {
  if (isOutside(place, parameters)) return 'out_of_area'
  const { tier } = classifyWebsite(place.website)
  return matchesWebsiteFilter(tier, parameters.website_filter) ? undefined : 'filtered'
}

/**
 * Why a place that a search lists can be dropped without collecting it, judged only by what the search does show: a list
 * often leaves the website out, so that its absence says nothing.
 */
export function certainlyUnwanted(place: Located, parameters: TaskParameters): Unwanted | undefined {
  if (place.website !== undefined) return unwanted(place, parameters)
  return isOutside(place, parameters) ? 'out_of_area' : undefined
}

// A place without coordinates cannot be shown to lie inside.
function isOutside({ latitude, longitude }: Located, parameters: TaskParameters): boolean {
  const circle = circleOf(parameters)
  if (!circle) return false
  if (latitude === undefined || longitude === undefined) return true
  return metresBetween(circle, { latitude, longitude }) > circle.radius
}
