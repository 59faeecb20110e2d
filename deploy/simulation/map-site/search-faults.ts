import { detailsOf, type PlaceDetails } from './city/details.ts'
import type { Exchange } from './exchange.ts'
import { chance } from './random.ts'
import type { Site } from './site.ts'

const EMPTY_SALT = 9401
const WRONG_SALT = 9402
const FLICKER_SALT = 9403

/**
 * The offset in degrees of longitude from the city to the places that searches return by mistake. The latitude is the
 * same.
 */
export const ELSEWHERE_DEGREES = -15.3

/** Returns whether this search answer is empty although places match, by chance. */
export function isEmptied(site: Site, exchange: Exchange, isFirst: boolean): boolean {
  const { emptySearches } = site.options()
  const { address, nth } = exchange
  if (emptySearches.exits && !emptySearches.exits.includes(address)) return false
  return chance(site.city.seed, nth, EMPTY_SALT).happens(isFirst ? emptySearches.first : emptySearches.later)
}

/** Returns whether this search returns places elsewhere instead of the matches. */
export const isWrongPlace = (site: Site, { nth }: Exchange): boolean =>
  chance(site.city.seed, nth, WRONG_SALT).happens(site.options().wrongPlace)

/** Returns a place far west of the city, at the same latitude. */
export function placeElsewhere(seed: number, index: number): PlaceDetails {
  const place = detailsOf(seed + 1, index)
  return { ...place, location: { lat: place.location.lat, lon: place.location.lon + ELSEWHERE_DEGREES } }
}

/** Returns the places that this answer does not omit. */
export function shownPlaces(site: Site, { nth }: Exchange, places: readonly number[]): readonly number[] {
  const { flicker } = site.options()
  const { seed } = site.city
  const isOmitted = (place: number) => chance(seed, nth, place, FLICKER_SALT).happens(flicker)
  return flicker > 0 ? places.filter((place) => !isOmitted(place)) : places
}
