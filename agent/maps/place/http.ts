import { MapFailed } from '../requests/failure.ts'
import {
  type HttpSession,
  type MapAnswer,
  pageVerdict,
  type Reading,
  requestMap,
  requestPayload,
} from '../requests/map-request.ts'
import { VERDICTS } from '../requests/verdicts.ts'
import type { Locale } from '../urls/parameters.ts'
import { type PlaceUrl, placePageUrl, placePayloadUrl } from '../urls/place-url.ts'
import { parsePlacePage } from './page.ts'
import { isPlacePayload } from './payload/payload.ts'

/** The sources of a place payload: its own request (since 2025), or the page that embeds it (before). */
export type PlaceEndpoint = 'request' | 'page'

/** A place payload, as the site sent it. */
type FetchedPlace = { readonly payload: unknown; readonly endpoint: PlaceEndpoint }

/**
 * Fetches a place payload. Tries the next endpoint when one gives no payload. Throws MapFailed: `mayUseSearchInstead`
 * when no endpoint gave one, else another fault, such as a block.
 * @param isNamed whether no search listed the place: then a page of the site without it says that it is unknown
 */
export async function placeByHttp(
  session: HttpSession,
  base: URL,
  place: PlaceUrl,
  locale: Locale,
  endpoints: readonly PlaceEndpoint[],
  isNamed = false,
): Promise<FetchedPlace> {
  let failure: MapFailed | undefined
  for (const endpoint of endpoints) {
    try {
      const payload = await fromEndpoint(session, base, place, locale, endpoint, isNamed)
      if (isPlacePayload(payload)) return { payload, endpoint }
      failure = new MapFailed('unknown')
    } catch (error) {
      if (!(error instanceof MapFailed) || !mayUseSearchInstead(error)) throw error
      if (isNamed && endpoint === 'page' && error.fault === 'not_found') throw error
      if (failure === undefined || failure.fault === 'not_found') failure = error
    }
  }
  throw failure ?? new MapFailed('unknown')
}

/** True when the site served the exit, but this endpoint gave nothing: others may. */
export const mayUseSearchInstead = ({ fault, details }: MapFailed): boolean =>
  VERDICTS[fault].next === 'client' && details.until === undefined

async function fromEndpoint(
  session: HttpSession,
  base: URL,
  place: PlaceUrl,
  locale: Locale,
  endpoint: PlaceEndpoint,
  isNamed: boolean,
): Promise<unknown> {
  if (endpoint === 'request') return requestPayload(session, placePayloadUrl(base, place, locale), read)
  const { url, page, kind } = await requestMap(session, placePageUrl(base, place, locale), PAGE)
  if (kind === 'page' && page.payload === undefined && page.preload_url === undefined)
    throw new MapFailed(isNamed ? 'not_found' : 'unknown')
  const request = page.payload === undefined && page.preload_url !== undefined ? URL.parse(page.preload_url, url) : null
  return request ? requestPayload(session, request, read).catch(asUnknown) : page.payload
}

const PAGE = {
  kinds: ['place', 'page'],
  read: (answer: MapAnswer) => ({
    value: { url: answer.url, kind: answer.kind, page: parsePlacePage(answer.text) },
    verdict: pageVerdict(answer),
  }),
} as const

const read = (payload: unknown): Reading<unknown> => ({
  value: payload,
  verdict: isPlacePayload(payload) ? 'whole' : 'unknown',
})

/** Throws the error. A payload that is not found says nothing about the place: its page exists. */
function asUnknown(error: unknown): never {
  throw error instanceof MapFailed && error.fault === 'not_found' ? new MapFailed('unknown', error) : error
}
