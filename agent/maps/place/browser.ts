import { monotonicNow } from '@placefleet/shared/timing'
import { parseBody } from '../answers/body.ts'
import { MapFailed } from '../requests/failure.ts'
import { drawnHtml, openMapPage, payloadInPage, stillServed } from '../requests/map-page.ts'
import type { MapTab } from '../requests/map-tab.ts'
import { listenFor, type PageAnswers } from '../requests/page-answers.ts'
import { type PlaceUrl, placePageUrl, placePayloadUrl } from '../urls/place-url.ts'
import { parseDrawnPlace } from './drawn.ts'
import { parsePlacePage, placePayloadOfState } from './page.ts'
import { isComplete, isPlacePayload, type PlaceReading, readPayload } from './payload/payload.ts'

const PAYLOAD_PATH = '/maps/preview/place'
const PAYLOAD_MS = 15_000
const AGAIN_MS = 3_000
const LOOK_UP_MS = 1_000
const STATE = 'window.APP_INITIALIZATION_STATE'

/**
 * Reads a place in Chromium. Requests the payload from the open page of the site, as a click on the place would. When
 * that payload is incomplete, opens the place's own page and reads the payload that it embeds or requests. Without a
 * payload, reads the drawn page. Throws MapFailed or what Chromium throws.
 * @param isNamed as in `placeByHttp`
 */
export async function placeInBrowser(tab: MapTab, place: PlaceUrl, isNamed = false): Promise<PlaceReading> {
  const { page } = tab
  const fetched = await payloadInPage(tab, placePayloadUrl(tab, place))
  if (isComplete(fetched)) return readPayload(fetched)
  const answers = listenFor(tab, ({ pathname }) => pathname === PAYLOAD_PATH)
  const { text, kind } = await openMapPage(tab, placePageUrl(tab, place))
  const embedded = parsePlacePage(text).payload
  if (isPlacePayload(embedded)) return readPayload(embedded)
  const payload = await firstPayload(tab, answers)
  if (isPlacePayload(payload)) return readPayload(payload)
  const state = placePayloadOfState(await page.evaluate(STATE))
  if (isPlacePayload(state)) return readPayload(state)
  const result = parseDrawnPlace(await drawnHtml(page), { language: tab.locale.language, url: page.url() })
  if (!result.ok) throw new MapFailed(isNamed && kind === 'page' ? 'not_found' : 'unknown')
  return { result, missing: ['reviews'] }
}

// An answer may be broken or about another place. A page that sends no other request within 3 s never does.
async function firstPayload({ page }: MapTab, answers: PageAnswers): Promise<unknown> {
  for (let until = monotonicNow() + PAYLOAD_MS; monotonicNow() < until; ) {
    const text = await answers.next(LOOK_UP_MS)
    const payload = parseBody(text ?? '')
    if (isPlacePayload(payload)) return payload
    if (text !== undefined) until = Math.min(until, monotonicNow() + AGAIN_MS)
    stillServed(page)
  }
  return undefined
}
