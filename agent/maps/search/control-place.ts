import { isPlacePayload } from '../place/payload/payload.ts'
import { MapFailed } from '../requests/failure.ts'
import { payloadInPage } from '../requests/map-page.ts'
import { type HttpSession, requestPayload } from '../requests/map-request.ts'
import type { MapTab } from '../requests/map-tab.ts'
import type { Locale } from '../urls/parameters.ts'
import { placePayloadUrl } from '../urls/place-url.ts'
import { CONTROL_QUERY } from './confirm-empty.ts'
import { readPage } from './pages.ts'
import { searchPayloadUrl } from './url.ts'

/**
 * Requests a place that exists, the first restaurant that a search lists, to know whether the site gives places to this
 * client at all. Throws MapFailed when it gives none.
 */
export async function controlPlaceByHttp(session: HttpSession, base: URL, locale: Locale): Promise<true> {
  const { places } = await requestPayload(session, controlSearch(base, locale), readPage)
  const [listed] = places
  if (!listed) throw new MapFailed('unknown')
  return requestPayload(session, placePayloadUrl(base, listed.place, locale), (payload) => {
    if (!isPlacePayload(payload)) throw new MapFailed('unknown')
    return { value: true, verdict: 'whole' }
  })
}

/** The same in Chromium. */
export async function controlPlaceInBrowser(tab: MapTab, base: URL, locale: Locale): Promise<true> {
  const { places } = readPage(await payloadInPage(tab, controlSearch(base, locale))).value
  const [listed] = places
  const payload = listed && (await payloadInPage(tab, placePayloadUrl(base, listed.place, locale)))
  if (!isPlacePayload(payload)) throw new MapFailed('unknown')
  return true
}

const controlSearch = (base: URL, locale: Locale): URL => searchPayloadUrl(base, { ...locale, query: CONTROL_QUERY })
