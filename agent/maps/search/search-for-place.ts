import type { PlaceReading } from '../place/payload/payload.ts'
import { type HttpSession, requestPayload } from '../requests/map-request.ts'
import type { Locale } from '../urls/parameters.ts'
import type { PlaceUrl } from '../urls/place-url.ts'
import { readPage } from './pages.ts'
import { searchPayloadUrl } from './url.ts'

const STREET_ZOOM = 17

/**
 * Searches for a place by its title where it is, for when the site gives no payload of the place. Search payloads hold
 * most of a place, but no reviews. Undefined without a title, or when the search does not list the place. Throws
 * MapFailed.
 */
export async function searchForPlace(
  session: HttpSession,
  base: URL,
  { place_key, title, latitude, longitude }: PlaceUrl,
  locale: Locale,
): Promise<PlaceReading | undefined> {
  if (title === undefined) return undefined
  const isLocated = latitude !== undefined && longitude !== undefined
  const viewport = isLocated ? { latitude, longitude, zoom: STREET_ZOOM } : undefined
  const { places } = await requestPayload(
    session,
    searchPayloadUrl(base, { ...locale, query: title, viewport }),
    readPage,
  )
  const listed = places.find(({ place }) => place.place_key === place_key)
  if (!listed) return undefined
  const { place, extra, missing } = listed
  return { result: { ok: true, place, extra }, missing }
}
