import { MapFailed } from '../session/fault.ts'
import type { HttpVisitor } from '../session/http-session.ts'
import type { Locale } from '../urls/locale.ts'
import { type PlaceUrl, placePageUrl, placePayloadUrl } from '../urls/place-url.ts'
import { parsePlacePage } from './page.ts'
import { isPlacePayload } from './payload/payload.ts'

/** By which door a place's payload came: its own request (since 2025), or embedded in the page (before). */
export type PlaceDoor = 'request' | 'page'

/** A place payload as the site sent it. */
export type FetchedPlace = { readonly payload: unknown; readonly door: PlaceDoor }

/**
 * Fetches a place payload by the first of these doors that gives one. A door that is shut, of another vintage or gives
 * only the stub is passed over; a block is not. Throws MapFailed.
 */
export async function placeByHttp(
  visitor: HttpVisitor,
  base: URL,
  place: PlaceUrl,
  locale: Locale,
  doors: readonly PlaceDoor[],
): Promise<FetchedPlace> {
  let failure = new MapFailed('broken')
  for (const door of doors) {
    try {
      const payload = await throughDoor(visitor, base, place, locale, door)
      if (isPlacePayload(payload)) return { payload, door }
    } catch (error) {
      if (!(error instanceof MapFailed) || !PASSED_OVER.has(error.fault)) throw error
      failure = error
    }
  }
  throw failure
}

const PASSED_OVER: ReadonlySet<string> = new Set(['not_found', 'broken', 'layout'])

async function throughDoor(
  visitor: HttpVisitor,
  base: URL,
  place: PlaceUrl,
  locale: Locale,
  door: PlaceDoor,
): Promise<unknown> {
  if (door === 'request') return visitor.askPayload(placePayloadUrl(base, place, locale))
  const { text, url } = await visitor.ask(placePageUrl(base, place, locale), ['place', 'page'])
  const page = parsePlacePage(text)
  const request = page.payload === undefined && page.preload_url !== undefined ? URL.parse(page.preload_url, url) : null
  return request ? visitor.askPayload(request) : page.payload
}
