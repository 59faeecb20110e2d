import { detailsOf, type PlaceDetails } from './city/details.ts'
import type { Exchange } from './exchange.ts'
import { chance, hash } from './random.ts'
import type { Site } from './site.ts'

const EMPTY_SALT = 9401
const WRONG_SALT = 9402
const FLICKER_SALT = 9403
const LIMITED_SALT = 9404

/** How far east of the city the other place lies that searches are answered for by mistake; as far north as the city. */
export const ELSEWHERE_DEGREES = -15.3

const textNumber = (text: string) => hash(...Array.from(text, (sign) => sign.charCodeAt(0)))

/** Whether this search answer is empty though places match: by chance, or for a client on a mobile. */
export function isEmptied(site: Site, exchange: Exchange, isFirst: boolean): boolean {
  const { emptySearches, mobileEmpty } = site.options()
  const { address, cookies, headers, nth } = exchange
  if (mobileEmpty && /\bMobile\b/.test(headers['user-agent'] ?? '')) return true
  if (emptySearches.exits && !emptySearches.exits.includes(address)) return false
  const who = emptySearches.per === 'answer' ? nth : textNumber(`${address} ${cookies.get('NID') ?? ''}`)
  return chance(site.city.seed, who, EMPTY_SALT).happens(isFirst ? emptySearches.first : emptySearches.later)
}

/** Whether this search is answered for another place than the one asked for. */
export const isWrongPlace = (site: Site, { nth }: Exchange): boolean =>
  chance(site.city.seed, nth, WRONG_SALT).happens(site.options().wrongPlace)

/** A place that is not of the city: as far north, far to the west. */
export function placeElsewhere(seed: number, index: number): PlaceDetails {
  const place = detailsOf(seed + 1, index)
  return { ...place, location: { lat: place.location.lat, lon: place.location.lon + ELSEWHERE_DEGREES } }
}

/** The places of a list that this answer does not leave out. */
export function shownPlaces(site: Site, { nth }: Exchange, places: readonly number[]): readonly number[] {
  const { flicker, limited, limitedPlaces } = site.options()
  const { seed } = site.city
  const isOmitted = (place: number) => chance(seed, nth, place, FLICKER_SALT).happens(flicker)
  const isHidden = (place: number) => limited && !chance(seed, place, LIMITED_SALT).happens(limitedPlaces)
  return flicker > 0 || limited ? places.filter((place) => !isOmitted(place) && !isHidden(place)) : places
}
