import { isForeignSearch } from '../answers/language.ts'
import { MapFailed } from '../session/fault.ts'
import type { HttpSession, Read } from '../session/http-session.ts'
import type { Viewport } from '../urls/parameters.ts'
import { type FoundPlace, isElsewhere, parseSearchPayload, type SearchResult } from './payload.ts'
import { type Search, searchPayloadUrl } from './url.ts'

/** Requests the pages of one search. `foreign` counts the pages that the site sends in another language twice. */
type SearchPages = {
  firstPage(): Promise<FoundPlace[]>
  /** Whether the last first page was empty in a shape that no capture shows. */
  isDoubtful(): boolean
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
  let positioned = search
  let firstViewport: Viewport | undefined
  let isPositionTried = search.viewport !== undefined
  let isDoubtful = false
  return {
    foreign,
    isDoubtful: () => isDoubtful,
    async firstPage() {
      const first = await ask(searchPayloadUrl(base, search))
      const { places, viewport, shape } = first.places.length > 0 ? first : await ask(searchPayloadUrl(base, search, 0))
      isDoubtful = shape === 'doubtful'
      if (viewport) firstViewport = { ...viewport, zoom: TOWN_ZOOM }
      return places
    },
    async page(offset) {
      const { places } = await ask(searchPayloadUrl(base, positioned, offset))
      const mayWantPosition = places.length === 0 && !isPositionTried && firstViewport !== undefined
      isPositionTried = true
      if (!mayWantPosition) return places
      const again = await ask(searchPayloadUrl(base, { ...search, viewport: firstViewport }, offset))
      if (again.places.length > 0) positioned = { ...search, viewport: firstViewport }
      return again.places
    },
  }
}

/** A page about another part of the world is requested again, at most twice. */
function askingForPages(session: HttpSession, search: Search) {
  const { foreign, inLanguage } = askingInLanguage(session, search)
  const ask = async (url: URL): Promise<SearchResult> => {
    for (let attempt = 1; ; attempt++) {
      const result = await inLanguage(url)
      if (!isElsewhere(result, search)) return result
      if (attempt === TRIES_ELSEWHERE) throw new MapFailed('unknown')
    }
  }
  return { foreign, ask }
}

// A page in another language is requested once more, unless the second answer for an earlier page had that language too.
function askingInLanguage(session: HttpSession, { language }: Search) {
  let foreign = 0
  let languageIgnored = false
  const read = (payload: unknown) => {
    const { value: result, verdict } = readPage(payload)
    return { value: { result, isForeign: isForeignSearch(payload, language) }, verdict }
  }
  return {
    foreign: () => foreign,
    async inLanguage(url: URL): Promise<SearchResult> {
      const first = await session.askPayload(url, read)
      if (!first.isForeign) return first.result
      const answer = languageIgnored ? first : await session.askPayload(url, read)
      languageIgnored = answer.isForeign
      if (languageIgnored) foreign++
      return answer.result
    },
  }
}

/**
 * Reads a search payload.
 * @throws MapFailed for places that cannot be read, and for what is no search payload
 */
export function readPage(payload: unknown): Read<SearchResult> {
  const value = parseSearchPayload(payload)
  if (value.shape === 'malformed') throw new MapFailed('layout')
  if (value.shape === 'foreign') throw new MapFailed('unknown')
  return { value, verdict: value.shape === 'found' ? 'whole' : 'doubtful_empty' }
}
