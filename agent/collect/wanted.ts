import type { PlaceReference } from '@placefleet/shared/place'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import { matchesWebsiteFilter } from '@placefleet/shared/web-presence/tiers'
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

/** Mean radius of the earth in metres (IUGG). */
const EARTH_METRES = 6_371_008.8

// A place without coordinates cannot be shown to lie inside.
function isOutside({ latitude, longitude }: Located, parameters: TaskParameters): boolean {
  const { radius, latitude: centreLatitude, longitude: centreLongitude } = parameters
  if (radius === 0 || centreLatitude === undefined || centreLongitude === undefined) return false
  if (latitude === undefined || longitude === undefined) return true
  return metresBetween([centreLatitude, centreLongitude], [latitude, longitude]) > radius
}

/** Great-circle distance in metres between two points in degrees (haversine). */
export function metresBetween(
  [latitudeA, longitudeA]: readonly [number, number],
  [latitudeB, longitudeB]: readonly [number, number],
): number {
  const half = (degrees: number) => Math.sin((degrees * Math.PI) / 360) ** 2
  const cos = (degrees: number) => Math.cos((degrees * Math.PI) / 180)
  const chord = half(latitudeB - latitudeA) + cos(latitudeA) * cos(latitudeB) * half(longitudeB - longitudeA)
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(chord)))
}
