import { isForeignSearch } from '../answers/language.ts'
import { MapFailed } from '../session/fault.ts'
import type { HttpSession } from '../session/http-session.ts'
import type { Cell } from './cell.ts'
import { watchEdge } from './edge.ts'
import { type FoundPlace, parseSearchPayload, type SearchResult } from './payload.ts'
import { PAGE_SIZE, type Search, searchPayloadUrl } from './url.ts'

/**
 * How a search ended. `limited`: the site said that it shows less than there is. `cut`: it listed as much as one search
 * gives and had not yet left the cell, so that there may be more. `foreign` counts answers in another language than
 * asked for, that were asked for again.
 */
export type SearchEnd = {
  readonly found: boolean
  readonly limited: boolean
  readonly cut: boolean
  readonly foreign: number
}

/** How far a search goes: so many pages of 20, and no farther than the cell it is for. */
export type SearchExtent = { readonly pages: number; readonly cell?: Cell | undefined }

/** The page itself stops here, and so do we on every rung, or they would differ. */
const MOST_RESULTS = 120
/** Lists of the site that were cut ended at 100 to 124 places, so one as long as this may have been. */
const CUT_RESULTS = 100

/** A page of fewer places is the last one. */
const LAST_PAGE = PAGE_SIZE / 2

/** Degrees between the viewport asked for and the one used beyond which an answer is for another part of the world. */
const ELSEWHERE_DEGREES = 2

/** How many places a search of so many pages lists at most. */
export function mostOf({ pages }: SearchExtent): number {
  return Math.min(pages * PAGE_SIZE, MOST_RESULTS)
}

/** Whether a list of so many places may have been cut by the site, or by the pages asked for. */
export function mayBeCut(listed: number, extent: SearchExtent): boolean {
  return listed >= Math.min(mostOf(extent), CUT_RESULTS)
}

/**
 * Pages through a search, 20 places a page, handing over each page's new places. Ends after the pages asked for, at a
 * page that is half empty or has nothing new, at 120 places, or once it has left the cell. Pages overlap, so places are told apart by their
 * key. Throws MapFailed.
 */
export async function searchByHttp(
  session: HttpSession,
  base: URL,
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: FoundPlace[]) => Promise<void>,
): Promise<SearchEnd> {
  const seen = new Set<string>()
  const edge = watchEdge(extent.cell)
  const ask = askingInLanguage(session, search)
  let more = true
  for (let page = 0; more && page < extent.pages && seen.size < MOST_RESULTS && !edge.left(); page++) {
    const result = readPage(await ask.payload(searchPayloadUrl(base, search, page * PAGE_SIZE)), search)
    const fresh = result.places.filter(({ place }) => !seen.has(place.place_key)).slice(0, MOST_RESULTS - seen.size)
    more = fresh.length > 0 && result.places.length >= LAST_PAGE
    for (const { place } of fresh) seen.add(place.place_key)
    edge.note(fresh.map(({ place }) => place))
    if (fresh.length > 0) await onPlaces(fresh)
  }
  const cut = !edge.left() && (more || mayBeCut(seen.size, extent))
  return { found: seen.size > 0, limited: false, cut, foreign: ask.foreign() }
}

// A page in another language is asked for once more, until that is seen to change nothing.
function askingInLanguage(session: HttpSession, { language }: Search) {
  let foreign = 0
  let languageIgnored = false
  return {
    foreign: () => foreign,
    async payload(url: URL): Promise<unknown> {
      const first = await session.askPayload(url)
      if (languageIgnored || !isForeignSearch(first, language)) return first
      foreign++
      const second = await session.askPayload(url)
      languageIgnored = isForeignSearch(second, language)
      return second
    },
  }
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
