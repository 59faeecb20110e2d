import { isForeignSearch } from '../answers/language.ts'
import { MapFailed } from '../session/fault.ts'
import type { HttpSession } from '../session/http-session.ts'
import type { Viewport } from '../urls/parameters.ts'
import { type FoundPlace, isElsewhere, parseSearchPayload, type SearchResult } from './payload.ts'
import { type Search, searchPayloadUrl } from './url.ts'

/** Requests the pages of one search. `foreign` counts the pages that the site sends in another language twice. */
export type SearchPages = {
  firstPage(): Promise<FoundPlace[]>
  page(offset: number): Promise<FoundPlace[]>
  foreign(): number
}

/** How often a page is requested while its answer is about another part of the world. */
const TRIES_ELSEWHERE = 3
/** The zoom of a search that gets its position from the site: about a town. */
const TOWN_ZOOM = 12

/**
 * Creates the requests for the pages of a search. An empty first page is requested once more, with the offset 0. When the
 * second page of a search without a position is empty, it is requested once more with the position of the first page,
 * because some sites want one.
 */
export function createSearchPages(session: HttpSession, base: URL, search: Search): SearchPages {
  const { foreign, ask } = askingForPages(session, search)
  let placed = search
  let around: Viewport | undefined
  let isSettled = search.viewport !== undefined
  return {
    foreign,
    async firstPage() {
      const first = await ask(searchPayloadUrl(base, search))
      const { places, viewport } = first.places.length > 0 ? first : await ask(searchPayloadUrl(base, search, 0))
      if (viewport) around = { ...viewport, zoom: TOWN_ZOOM }
      return places
    },
    async page(offset) {
      const { places } = await ask(searchPayloadUrl(base, placed, offset))
      const mayWantPosition = places.length === 0 && !isSettled && around !== undefined
      isSettled = true
      if (!mayWantPosition) return places
      const again = await ask(searchPayloadUrl(base, { ...search, viewport: around }, offset))
      if (again.places.length > 0) placed = { ...search, viewport: around }
      return again.places
    },
  }
}

/** A page about another part of the world is requested again, at most twice. */
function askingForPages(session: HttpSession, search: Search) {
  const { foreign, payload } = askingInLanguage(session, search)
  const ask = async (url: URL): Promise<SearchResult> => {
    for (let attempt = 1; ; attempt++) {
      const result = readPage(await payload(url))
      if (!isElsewhere(result, search)) return result
      if (attempt === TRIES_ELSEWHERE) throw new MapFailed('broken')
    }
  }
  return { foreign, ask }
}

// A page in another language is requested once more, unless the second answer for an earlier page had that language too.
function askingInLanguage(session: HttpSession, { language }: Search) {
  let foreign = 0
  let languageIgnored = false
  return {
    foreign: () => foreign,
    async payload(url: URL): Promise<unknown> {
      const first = await session.askPayload(url)
      if (!isForeignSearch(first, language)) return first
      const answer = languageIgnored ? first : await session.askPayload(url)
      languageIgnored = isForeignSearch(answer, language)
      if (languageIgnored) foreign++
      return answer
    },
  }
}

/**
 * Reads a search payload.
 * @throws MapFailed for an unknown layout
 */
export function readPage(payload: unknown): SearchResult {
  const result = parseSearchPayload(payload)
  if (result.shape === 'malformed') throw new MapFailed('layout')
  return result
}
