import { isPlacePayload } from '../place/payload/payload.ts'
import { MapFailed } from '../requests/failure.ts'
import { payloadInPage } from '../requests/map-page.ts'
import { type HttpSession, requestPayload } from '../requests/map-request.ts'
import type { MapTab } from '../requests/map-tab.ts'
import type { Locale } from '../urls/parameters.ts'
import { placePayloadUrl } from '../urls/place-url.ts'
import { type PageHit, searchInBrowser } from './browser.ts'
import { type SearchEnd, type SearchExtent, type SearchTarget, searchByHttp } from './http.ts'
import { readPage } from './pages.ts'
import { type Search, searchPayloadUrl } from './url.ts'

// Nothing counts as missing before the site has shown the same client what certainly exists.

/**
 * The keyword of the test search: restaurants exist everywhere, and the site understands the word in every language.
 */
const CONTROL_QUERY = 'restaurant'

/**
 * Searches over plain HTTP. An empty result counts only when the session finds restaurants. Otherwise the end is
 * `limited`: the site may hold results back. Where lists have gaps, the search is repeated after that. Throws
 * MapFailed.
 * @param isServed whether the exit got places before: then only a doubtful result wants a test search
 */
export async function searchForSure(
  session: HttpSession,
  isServed: boolean,
  base: URL,
  search: Search,
  target: SearchTarget,
): Promise<SearchEnd> {
  const end = await searchByHttp(session, base, search, target)
  if (end.hasPlaces || (isServed && !end.doubtful)) return end
  const control = await finds(session, base, search)
  return control && session.identity.exit.memory.lists.haveGaps()
    ? searchByHttp(session, base, search, target)
    : { ...end, limited: !control }
}

/** Searches in Chromium. Accepts an empty result only when the same page finds restaurants. Throws like the search. */
export async function searchInBrowserForSure(
  tab: MapTab,
  base: URL,
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: PageHit[]) => void,
): Promise<SearchEnd> {
  const end = await searchInBrowser(tab, base, search, extent, onPlaces)
  if (end.hasPlaces) return end
  const control = await searchInBrowser(tab, base, { ...search, query: CONTROL_QUERY }, { pages: 1 }, () => undefined)
  return { ...end, limited: !control.hasPlaces }
}

/** Returns whether the site shows the session any place in that area. */
async function finds(session: HttpSession, base: URL, search: Search): Promise<boolean> {
  try {
    const { places } = await requestPayload(
      session,
      searchPayloadUrl(base, { ...search, query: CONTROL_QUERY }),
      readPage,
    )
    return places.length > 0
  } catch (error) {
    if (!(error instanceof MapFailed)) throw error
    return false
  }
}

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
