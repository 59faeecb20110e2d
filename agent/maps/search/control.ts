import { isPlacePayload } from '../place/payload/payload.ts'
import type { Exit } from '../requests/exit.ts'
import { MapFailed } from '../requests/failure.ts'
import { payloadInPage } from '../requests/map-page.ts'
import { type HttpSession, requestPayload } from '../requests/map-request.ts'
import type { MapTab } from '../requests/map-tab.ts'
import type { Site } from '../urls/parameters.ts'
import { placePayloadUrl } from '../urls/place-url.ts'
import { type PageHit, searchInBrowser } from './browser.ts'
import { type SearchEnd, type SearchExtent, type SearchTarget, searchByHttp } from './http.ts'
import { readPage } from './pages.ts'
import { type Search, searchPayloadUrl } from './url.ts'

// Nothing counts as missing before the site has shown the same client what certainly exists.

/** Restaurants exist everywhere, and the site understands the word in every language. */
const EVERYWHERE = { query: 'restaurant' }

/** A search that certainly has results: the last search of the exit that had, and restaurants for a new exit. */
const controlSearch = ({ memory }: Exit): Search => memory.lists.lastFound() ?? EVERYWHERE

/**
 * Searches over plain HTTP. An empty result counts only when the control search of the session lists places. Otherwise
 * the end is `limited`: the site may hold results back. Where lists have gaps, the search is repeated after that.
 * Throws MapFailed.
 * @param isServed whether the exit got places before: then only a doubtful result wants a control search
 */
export async function searchForSure(
  session: HttpSession,
  isServed: boolean,
  search: Search,
  target: SearchTarget,
): Promise<SearchEnd> {
  const { lists } = session.identity.exit.memory
  const end = await searchByHttp(session, search, target)
  if (end.hasPlaces) lists.noteFound(search)
  if (end.hasPlaces || (isServed && !end.doubtful)) return end
  const isShown = await listsPlaces(session)
  return isShown && lists.haveGaps() ? searchByHttp(session, search, target) : { ...end, limited: !isShown }
}

/** Searches in Chromium, with the same control. Throws like the search. */
export async function searchInBrowserForSure(
  tab: MapTab,
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: PageHit[]) => void,
): Promise<SearchEnd> {
  const end = await searchInBrowser(tab, search, extent, onPlaces)
  if (end.hasPlaces) {
    tab.exit.memory.lists.noteFound(search)
    return end
  }
  const control = await searchInBrowser(tab, controlSearch(tab.exit), { pages: 1 }, () => undefined)
  return { ...end, limited: !control.hasPlaces }
}

async function listsPlaces(session: HttpSession): Promise<boolean> {
  try {
    const { places } = await requestPayload(session, controlUrl(session.identity), readPage)
    return places.length > 0
  } catch (error) {
    if (!(error instanceof MapFailed)) throw error
    return false
  }
}

/** Requests the first place of the control search. Throws MapFailed when the site gives this client no place at all. */
export async function controlPlaceByHttp(session: HttpSession): Promise<true> {
  const { places } = await requestPayload(session, controlUrl(session.identity), readPage)
  const [listed] = places
  if (!listed) throw new MapFailed('unknown')
  return requestPayload(session, placePayloadUrl(session.identity, listed.place), (payload) => {
    if (!isPlacePayload(payload)) throw new MapFailed('unknown')
    return { value: true, verdict: 'whole' }
  })
}

/** The same in Chromium. */
export async function controlPlaceInBrowser(tab: MapTab): Promise<true> {
  const { places } = readPage(await payloadInPage(tab, controlUrl(tab))).value
  const [listed] = places
  const payload = listed && (await payloadInPage(tab, placePayloadUrl(tab, listed.place)))
  if (!isPlacePayload(payload)) throw new MapFailed('unknown')
  return true
}

const controlUrl = (asker: Site & { readonly exit: Exit }): URL => searchPayloadUrl(asker, controlSearch(asker.exit))
