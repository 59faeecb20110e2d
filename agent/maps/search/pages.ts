import type { PlaceReading } from '../place/payload/payload.ts'
import { MapFailed } from '../requests/failure.ts'
import { type HttpSession, type Reading, requestPayload } from '../requests/map-request.ts'
import type { Viewport } from '../urls/parameters.ts'
import type { PlaceUrl } from '../urls/place-url.ts'
import { isElsewhere, parseSearchPayload, type SearchHit, type SearchResult } from './payload.ts'
import { type Search, searchPayloadUrl } from './url.ts'

export type SearchPages = ReturnType<typeof createSearchPages>

const TOWN_ZOOM = 12

/**
 * Creates the requests for the pages of a search. An empty first page is requested once more, with the offset 0. When
 * the second page of a search without a position is empty, it is requested once more with the position of the first
 * page, because some sites want one.
 */
export function createSearchPages(session: HttpSession, search: Search) {
  const { identity } = session
  const request = (url: URL) => requestPage(session, search, url)
  let positioned = search
  let firstViewport: Viewport | undefined
  let isPositionTried = search.viewport !== undefined
  let isDoubtful = false
  return {
    /** Whether the last first page was empty in a shape that no capture shows. */
    isDoubtful: () => isDoubtful,
    async firstPage(): Promise<SearchHit[]> {
      const first = await request(searchPayloadUrl(identity, search))
      const isEmpty = first.places.length === 0
      const { places, viewport, shape } = isEmpty ? await request(searchPayloadUrl(identity, search, 0)) : first
      if (isEmpty && places.length > 0) identity.exit.memory.lists.noteGap()
      isDoubtful = shape === 'doubtful'
      if (viewport) firstViewport = { ...viewport, zoom: TOWN_ZOOM }
      return places
    },
    async page(offset: number): Promise<SearchHit[]> {
      const { places } = await request(searchPayloadUrl(identity, positioned, offset))
      const mayWantPosition = places.length === 0 && !isPositionTried && firstViewport !== undefined
      isPositionTried = true
      if (!mayWantPosition) return places
      const again = await request(searchPayloadUrl(identity, { ...search, viewport: firstViewport }, offset))
      if (again.places.length > 0) positioned = { ...search, viewport: firstViewport }
      return again.places
    },
  }
}

/** Requests a page. One about another part of the world is requested once more. */
async function requestPage(session: HttpSession, search: Search, url: URL): Promise<SearchResult> {
  const first = await requestPayload(session, url, readPage)
  if (!isElsewhere(first, search)) return first
  const second = await requestPayload(session, url, readPage)
  if (isElsewhere(second, search)) throw new MapFailed('unknown')
  return second
}

/** Throws MapFailed for places that cannot be read, and for what is no search payload. */
export function readPage(payload: unknown): Reading<SearchResult> {
  const value = parseSearchPayload(payload)
  if (value.shape === 'malformed') throw new MapFailed('layout')
  if (value.shape === 'foreign') throw new MapFailed('unknown')
  return { value, verdict: value.shape === 'found' ? 'whole' : 'doubtful_empty' }
}

const STREET_ZOOM = 17

/**
 * Searches for a place by its title where it is, for when the site gives no payload of it. Search payloads hold most of
 * a place, but no reviews. Undefined when the search does not list the place. Throws MapFailed.
 */
export async function searchForPlace(
  session: HttpSession,
  { place_key, title, latitude, longitude }: PlaceUrl,
): Promise<PlaceReading | undefined> {
  if (title === undefined) return undefined
  const isLocated = latitude !== undefined && longitude !== undefined
  const viewport = isLocated ? { latitude, longitude, zoom: STREET_ZOOM } : undefined
  const url = searchPayloadUrl(session.identity, { query: title, viewport })
  const { places } = await requestPayload(session, url, readPage)
  const listed = places.find(({ place }) => place.place_key === place_key)
  if (!listed) return undefined
  return { result: { ok: true, ...listed.whole() }, missing: listed.missing }
}
