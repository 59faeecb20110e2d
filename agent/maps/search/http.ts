import type { Cell } from '@placefleet/shared/cell'
import type { RungMemory } from '../exits/rung-memory.ts'
import type { HttpSession } from '../session/http-session.ts'
import { countInside } from './cell.ts'
import { createSearchPages } from './pages.ts'
import { afterPage, FIRST_PAGE, type PagingEnd } from './paging.ts'
import type { FoundPlace } from './payload.ts'
import { PAGE_SIZE, type Search } from './url.ts'

/**
 * How a search ended. `limited`: the site said that it shows only a part. `cut`: the list was as long as a search gets
 * and had not left the cell, so there may be more places. `foreign` counts pages that came in another language twice.
 */
export type SearchEnd = {
  readonly found: boolean
  /** Nothing was found, in an answer of which no capture shows that it means that. */
  readonly doubtful?: boolean
  readonly limited: boolean
  readonly cut: boolean
  readonly foreign: number
}

/** Who asks: a session, and the memory of its exit. */
export type SearchContext = { readonly session: HttpSession; readonly memory: SearchMemory }

/** The extent of a search: this many pages of 20, and no farther than its cell. */
export type SearchExtent = { readonly pages: number; readonly cell?: Cell | undefined }

/** The memory of an exit about searches: see RungMemory. */
type SearchMemory = Pick<RungMemory, 'repeatsFirstPage' | 'comparedFirstPages'>

/** The most places by offset. The site has listed up to 839, but later ones hardly match the keyword. */
const MOST_BY_OFFSET = 500
/** A page lists no more places than this. */
const MOST_ON_PAGE = 120
/** Lists that the site cut ended at 100 to 124 places, so a list of this length may be cut. */
const CUT_RESULTS = 100
/** A list of fewer places may look the same twice although answers leave some out. */
const ENOUGH_TO_TELL = 10
/** The most runs through a list whose answers omit places: together four showed all places of such a site. */
const MOST_RUNS = 4
/** So many places of a repeated page may be new by their rank alone: the site orders each answer anew. */
const NEW_BY_RANK = 1
/** One run without a new place may be chance where answers omit places. */
const MOST_IDLE_RUNS = 2

/** Returns the most places that a page in Chromium lists for a search of this many pages. */
export function mostOf({ pages }: SearchExtent): number {
  return Math.min(pages * PAGE_SIZE, MOST_ON_PAGE)
}

/** Returns whether the site, or the number of requested pages, may have cut a list of this many places. */
export function mayBeCut(listed: number, extent: SearchExtent): boolean {
  return listed >= Math.min(mostOf(extent), CUT_RESULTS)
}

/**
 * Pages through a search, 20 places a page, and passes on each page's new places. A run ends when a page shows known places
 * only, when pages stay empty, after two pages with nothing of the cell, or when the requested pages are full. Then it
 * requests the first page again, unless the exit's answers have been stable. If that page shows a place that the whole list
 * did not, or an empty page had places when it was repeated, the list is repeated until two runs in a row bring nothing
 * new, at most three times. Another order proves nothing; one new place may be new by its rank, so it earns one more run.
 * Places are distinguished by their key. Throws MapFailed.
 */
export async function searchByHttp(
  { session, memory }: SearchContext,
  base: URL,
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: FoundPlace[]) => Promise<void>,
): Promise<SearchEnd> {
  const ask = createSearchPages(session, base, search)
  const most = Math.min(extent.pages * PAGE_SIZE, MOST_BY_OFFSET)
  const seen = new Set<string>()
  const take = async (places: readonly FoundPlace[]) => {
    const unseen = places.filter(({ place }) => !seen.has(place.place_key))
    // A page may list a place twice.
    const fresh = [...new Map(unseen.map((found) => [found.place.place_key, found])).values()].slice(
      0,
      most - seen.size,
    )
    for (const { place } of fresh) seen.add(place.place_key)
    if (fresh.length > 0) await onPlaces(fresh)
    return fresh.length
  }
  let end: PagingEnd | 'most' = 'listed'
  let omits = false
  let idleRuns = 0
  for (let run = 1; run <= MOST_RUNS && end === 'listed'; run++) {
    const before = seen.size
    if (run === 2 && !(before > 0 && memory.repeatsFirstPage())) break
    const first = await ask.firstPage()
    const fresh = await take(first)
    omits ||= run === 2 && fresh > NEW_BY_RANK
    if (run === 2 && before >= ENOUGH_TO_TELL) memory.comparedFirstPages(omits)
    if (run === 2 && fresh === 0 && !omits) break
    if (run === 1 && fresh === 0) break
    const through = await runThrough(first, ask.page, take, extent, () => seen.size >= most)
    end = through.end
    omits ||= through.omits || (run === 2 && seen.size - before > NEW_BY_RANK)
    if (run === 2 && !omits) break
    idleRuns = seen.size > before ? 0 : idleRuns + 1
    if (idleRuns === MOST_IDLE_RUNS || (extent.cell && mayBeCut(seen.size, extent))) break
  }
  const cut = end === 'most' || (end === 'listed' && mayBeCut(seen.size, extent))
  const doubtful = seen.size === 0 && ask.isDoubtful()
  return { found: seen.size > 0, doubtful, limited: false, cut, foreign: ask.foreign() }
}

/** Pages through the list once, from its first page. `omits`: a page was empty, and had places when it was repeated. */
async function runThrough(
  first: readonly FoundPlace[],
  ask: (offset: number) => Promise<FoundPlace[]>,
  take: (places: readonly FoundPlace[]) => Promise<number>,
  { cell }: SearchExtent,
  isEnough: () => boolean,
): Promise<{ end: PagingEnd | 'most'; omits: boolean }> {
  const listed = new Set<string>()
  const empty = new Set<number>()
  let omits = false
  let paging = FIRST_PAGE
  for (let page = first; ; page = await ask(paging.offset)) {
    await take(page)
    omits ||= page.length > 0 && empty.has(paging.offset)
    if (page.length === 0) empty.add(paging.offset)
    if (isEnough()) return { end: 'most', omits }
    const places = page.map(({ place }) => place)
    const fresh = places.filter(({ place_key }) => !listed.has(place_key)).length
    for (const { place_key } of places) listed.add(place_key)
    const inside = countInside(cell, places)
    const next = afterPage(paging, { listed: page.length, fresh, inside })
    if (typeof next === 'string') return { end: next, omits }
    paging = next
  }
}
