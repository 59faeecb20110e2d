import type { HttpVisitor } from './http-visitor.ts'
import { MapFailed } from './map-failed.ts'
import { type FoundPlace, parseSearchPayload, type SearchResult } from './payload/search-payload.ts'
import { PAGE_SIZE, type Search, searchPayloadUrl } from './urls/search-url.ts'

/** How a search ended; `limited` when the site said that it shows less than there is. */
export type SearchEnd = { readonly found: boolean; readonly limited: boolean }

/** The page itself stops here, and so do we on every rung, or they would differ. */
export const MOST_RESULTS = 120

/** Degrees between the viewport asked for and the one used beyond which an answer is for another part of the world. */
const ELSEWHERE_DEGREES = 2

/**
 * Pages through a search, 20 places a page, handing over each page's new places. Ends after `pages` pages, at a page with
 * nothing new, or at 120 places. Pages overlap, so places are told apart by their key. Throws MapFailed.
 */
export async function searchByHttp(
  visitor: HttpVisitor,
  base: URL,
  search: Search,
  pages: number,
  onPlaces: (places: FoundPlace[]) => Promise<void>,
): Promise<SearchEnd> {
  const seen = new Set<string>()
  for (let page = 0; page < pages && seen.size < MOST_RESULTS; page++) {
    const result = readPage(await visitor.askPayload(searchPayloadUrl(base, search, page * PAGE_SIZE)), search)
    const fresh = result.places.filter(({ place }) => !seen.has(place.place_key)).slice(0, MOST_RESULTS - seen.size)
    if (fresh.length === 0) break
    for (const { place } of fresh) seen.add(place.place_key)
    await onPlaces(fresh)
  }
  return { found: seen.size > 0, limited: false }
}

/** Reads a search payload that may be used: of the known layout, and for the part of the map asked for. */
export function readPage(payload: unknown, { viewport }: Search): SearchResult {
  const result = parseSearchPayload(payload)
  if (result.shape === 'malformed') throw new MapFailed('layout')
  const elsewhere =
    viewport !== undefined &&
    result.viewport !== undefined &&
    Math.abs(result.viewport.latitude - viewport.latitude) > ELSEWHERE_DEGREES
  if (elsewhere) throw new MapFailed('broken')
  return result
}
