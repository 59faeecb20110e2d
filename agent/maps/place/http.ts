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
import { type PlaceUrl, placePageUrl, placePayloadUrl } from '../urls/place-url.ts'
import { parsePlacePage } from './page.ts'
import { isPlacePayload } from './payload/payload.ts'

/**
 * Fetches a place payload by its own request (since 2025), else from the page that embeds or names it. Throws
 * MapFailed: `mayUseSearchInstead` when neither gave one, else another fault, such as a block.
 * @param isNamed whether no search listed the place: then a page of the site without it says that it is unknown
 */
export async function placeByHttp(session: HttpSession, place: PlaceUrl, isNamed = false): Promise<unknown> {
  const first = await attempted(requestPayload(session, placePayloadUrl(session.identity, place), read))
  if (!(first instanceof MapFailed)) return first
  const second = await attempted(payloadOfPage(session, place, isNamed))
  if (!(second instanceof MapFailed)) return second
  if (isNamed && second.fault === 'not_found') throw second
  throw first.fault === 'not_found' ? second : first
}

/** Returns the payload, or the failure after which another address may give it. */
async function attempted(request: Promise<unknown>): Promise<unknown> {
  try {
    const payload = await request
    return isPlacePayload(payload) ? payload : new MapFailed('unknown')
  } catch (error) {
    if (error instanceof MapFailed && mayUseSearchInstead(error)) return error
    throw error
  }
}

/** True when the site served the exit, but this endpoint gave nothing: others may. */
export const mayUseSearchInstead = ({ fault, details }: MapFailed): boolean =>
  VERDICTS[fault].next === 'client' && details.until === undefined

async function payloadOfPage(session: HttpSession, place: PlaceUrl, isNamed: boolean): Promise<unknown> {
  const { url, page, kind } = await requestMap(session, placePageUrl(session.identity, place), PAGE)
  if (page.payload !== undefined) return page.payload
  const request = page.preload_url === undefined ? null : URL.parse(page.preload_url, url)
  if (request) return requestPayload(session, request, read).catch(asUnknown)
  throw new MapFailed(isNamed && kind === 'page' && page.preload_url === undefined ? 'not_found' : 'unknown')
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
