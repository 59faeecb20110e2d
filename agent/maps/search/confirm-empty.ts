import { MapFailed } from '../requests/failure.ts'
import { type HttpSession, requestPayload } from '../requests/map-request.ts'
import type { MapTab } from '../requests/map-tab.ts'
import { type PageHit, searchInBrowser } from './browser.ts'
import { type SearchEnd, type SearchExtent, type SearchTarget, searchByHttp } from './http.ts'
import { readPage } from './pages.ts'
import { type Search, searchPayloadUrl } from './url.ts'

/**
 * The keyword of the test search: restaurants exist everywhere, and the site understands the word in every language.
 */
export const CONTROL_QUERY = 'restaurant'

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
