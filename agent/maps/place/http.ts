import { MapFailed } from '../session/fault.ts'
import type { HttpSession } from '../session/http-session.ts'
import type { Locale } from '../urls/parameters.ts'
import { type PlaceUrl, placePageUrl, placePayloadUrl } from '../urls/place-url.ts'
import { parsePlacePage } from './page.ts'
import { isPlacePayload } from './payload/payload.ts'

/** Where the site gives a place payload: a request of its own (since 2025), or embedded in the page (before). */
export type PlaceEndpoint = 'request' | 'page'

/** A place payload as the site sent it. */
export type FetchedPlace = { readonly payload: unknown; readonly endpoint: PlaceEndpoint }

/**
 * Fetches a place payload from the first endpoint that gives one. Goes on to the next endpoint when the site does not know
 * one or gives no payload there. Throws MapFailed for other faults, such as a block.
 */
export async function placeByHttp(
  session: HttpSession,
  base: URL,
  place: PlaceUrl,
  locale: Locale,
  endpoints: readonly PlaceEndpoint[],
): Promise<FetchedPlace> {
  let failure = new MapFailed('broken')
  for (const endpoint of endpoints) {
    try {
      const payload = await fromEndpoint(session, base, place, locale, endpoint)
      if (isPlacePayload(payload)) return { payload, endpoint }
    } catch (error) {
      if (!(error instanceof MapFailed) || !PASSED_OVER.has(error.fault)) throw error
      failure = error
    }
  }
  throw failure
}

const PASSED_OVER: ReadonlySet<string> = new Set(['not_found', 'broken', 'layout'])

async function fromEndpoint(
  session: HttpSession,
  base: URL,
  place: PlaceUrl,
  locale: Locale,
  endpoint: PlaceEndpoint,
): Promise<unknown> {
  if (endpoint === 'request') return session.askPayload(placePayloadUrl(base, place, locale))
  const { text, url } = await session.ask(placePageUrl(base, place, locale), ['place', 'page'])
  const page = parsePlacePage(text)
  const request = page.payload === undefined && page.preload_url !== undefined ? URL.parse(page.preload_url, url) : null
  return request ? session.askPayload(request) : page.payload
}
