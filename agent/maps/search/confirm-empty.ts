import { MapFailed } from '../session/fault.ts'
import type { HttpSession } from '../session/http-session.ts'
import { type SearchContext, type SearchEnd, type SearchExtent, searchByHttp } from './http.ts'
import { readPage } from './pages.ts'
import type { FoundPlace } from './payload.ts'
import { type Search, searchPayloadUrl } from './url.ts'

/**
 * The keyword of the test search: restaurants exist everywhere, and the site understands the word in every language.
 */
const CONTROL_QUERY = 'restaurant'

/**
 * Searches over plain HTTP. Accepts an empty result only when a second session with its own cookies gets it too, and
 * finds restaurants. Otherwise the end is `limited`: the site may hold results back. Throws MapFailed.
 * @param isServed whether the exit got places before: then only a doubtful result wants a second opinion
 */
export async function searchForSure(
  by: SearchContext & { readonly otherClient: () => HttpSession },
  isServed: boolean,
  base: URL,
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: FoundPlace[]) => Promise<void>,
): Promise<SearchEnd> {
  const first = await searchByHttp(by, base, search, extent, onPlaces)
  if (first.found || (isServed && !first.doubtful)) return first
  const other = by.otherClient()
  const second = await searchByHttp({ ...by, session: other }, base, search, extent, onPlaces)
  return second.found ? second : { ...second, limited: !(await finds(other, base, search)) }
}

/** A search in Chromium. */
export type BrowserSearch<Place> = (
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: Place[]) => void,
) => Promise<SearchEnd>

/**
 * Searches in Chromium. Accepts an empty result only when the same session finds restaurants. Throws the error of the
 * search.
 */
export async function searchInBrowserForSure<Place>(
  run: BrowserSearch<Place>,
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: Place[]) => void,
): Promise<SearchEnd> {
  const end = await run(search, extent, onPlaces)
  if (end.found) return end
  const control = await run({ ...search, query: CONTROL_QUERY }, { pages: 1 }, () => undefined)
  return { ...end, limited: !control.found }
}

/** Returns whether the site shows the session any place in that area. */
async function finds(session: HttpSession, base: URL, search: Search): Promise<boolean> {
  try {
    const { places } = await session.askPayload(searchPayloadUrl(base, { ...search, query: CONTROL_QUERY }), readPage)
    return places.length > 0
  } catch (error) {
    if (!(error instanceof MapFailed)) throw error
    return false
  }
}
