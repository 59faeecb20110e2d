import type { Cell } from '@placefleet/shared/cell'
import type { ClientMemory } from '../requests/client-memory.ts'
import type { HttpSession } from '../requests/map-request.ts'
import { countInside, createListed } from './cell.ts'
import { createSearchPages, type SearchPages } from './pages.ts'
import type { SearchHit } from './payload.ts'
import { PAGE_SIZE, type Search } from './url.ts'

/**
 * How a search ended. `limited`: the site said that it shows only a part. `cut`: the list was as long as a search gets
 * and had not left the cell, so there may be more places.
 */
export type SearchEnd = {
  readonly hasPlaces: boolean
  /** Nothing was found, in an answer of which no capture shows that it means that. */
  readonly doubtful?: boolean
  readonly limited: boolean
  readonly cut: boolean
}

/** The extent of a search: this many pages of 20, and no farther than its cell. */
export type SearchExtent = { readonly pages: number; readonly cell?: Cell | undefined }

/** The most places by offset. The site has listed up to 839, but later ones hardly match the keyword. */
const MOST_BY_OFFSET = 500
/** A page lists no more places than this. */
const MOST_ON_PAGE = 120
/** Lists that the site cut ended at 100 to 124 places, so a list of this length may be cut. */
const CUT_RESULTS = 100
/** After full pages, a page with no more places than this is the last one. */
const SHORT_PAGE = PAGE_SIZE / 2
/** So many pages in a row without a new place end a doubtful list, because answers may be empty by chance. */
const IDLE_PAGES = 2
/** After so many pages in a row without a place of its cell, a list has left the cell: it is not sorted by distance. */
const OUTSIDE_PAGES = 2
/** The most runs through a list whose answers leave places out: together four showed all places of such a site. */
const MOST_RUNS = 4

/** The most places that a page in Chromium lists for a search. */
export const mostOf = ({ pages }: SearchExtent): number => Math.min(pages * PAGE_SIZE, MOST_ON_PAGE)

/** Whether the site, or the number of requested pages, may have cut a list of this many places. */
export const mayBeCut = (listed: number, extent: SearchExtent): boolean =>
  listed >= Math.min(mostOf(extent), CUT_RESULTS)

/** How far a search is read. `isEnough` is asked after each page, when its places were passed on. */
export type SearchTarget = {
  readonly extent: SearchExtent
  readonly onPlaces: (places: SearchHit[]) => Promise<void>
  readonly isEnough: () => boolean
}

/**
 * Pages through a search and passes on the new places of each page. A list ends with a page that brings nothing new or
 * is at most half full, and after two pages without a place of the cell. A doubtful one, which begins with a page that
 * is not full or has an empty page after full ones, ends with two pages that bring nothing new. One with a gap before
 * its last page is read again until a run brings nothing new, at most three times. Throws MapFailed.
 */
export async function searchByHttp(
  session: HttpSession,
  search: Search,
  { extent, onPlaces, isEnough }: SearchTarget,
): Promise<SearchEnd> {
  const pages = createSearchPages(session, search)
  const { lists } = session.identity.exit.memory
  const most = Math.min(extent.pages * PAGE_SIZE, MOST_BY_OFFSET)
  const listed = createListed(most)
  const passOn = async (places: readonly SearchHit[]): Promise<void> => {
    const added = listed.add(places)
    if (added.length > 0) await onPlaces(added)
  }
  const target: RunTarget = { cell: extent.cell, passOn, isEnough: () => listed.count() >= most || isEnough() }
  let end: RunEnd = 'listed'
  for (let run = 1; run <= MOST_RUNS && end === 'listed' && (run === 1 || lists.haveGaps()); run++) {
    const before = listed.count()
    end = await runThrough(pages, lists, target)
    if (listed.count() === before) break
  }
  const count = listed.count()
  const cut = end === 'enough' || (end === 'listed' && mayBeCut(count, extent))
  return { hasPlaces: count > 0, doubtful: count === 0 && pages.isDoubtful(), limited: false, cut }
}

type RunTarget = {
  readonly cell: Cell | undefined
  readonly passOn: (places: readonly SearchHit[]) => Promise<void>
  readonly isEnough: () => boolean
}

/** Why a run through a list ended. `left`: it shows no more places of the cell. */
type RunEnd = 'listed' | 'left' | 'enough'

async function runThrough(
  pages: SearchPages,
  lists: ClientMemory['lists'],
  { cell, passOn, isEnough }: RunTarget,
): Promise<RunEnd> {
  const listed = new Set<string>()
  let isDoubtful = lists.haveGaps()
  let isShort = false
  let idle = 0
  let outside = 0
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const page = offset === 0 ? await pages.firstPage() : await pages.page(offset)
    const places = page.map(({ place }) => place)
    await passOn(page)
    if (isEnough()) return 'enough'
    const unlisted = places.filter(({ place_key }) => !listed.has(place_key)).length
    for (const { place_key } of places) listed.add(place_key)
    if (isShort && unlisted > 0) lists.noteGap()
    const isGapOrEnd = page.length === 0 && offset > 0 && !isShort && !isDoubtful && listed.size < CUT_RESULTS
    isShort = page.length < PAGE_SIZE
    isDoubtful ||= offset === 0 && isShort
    outside = page.length > 0 && countInside(cell, places) === 0 ? outside + 1 : 0
    if (outside >= OUTSIDE_PAGES) return 'left'
    idle = unlisted > 0 ? 0 : idle + 1
    if (isGapOrEnd) {
      isDoubtful = true
      offset -= 1.5 * PAGE_SIZE // next, the page in the middle of the last full one and this one
      continue
    }
    if (idle >= (isDoubtful ? IDLE_PAGES : 1) || (offset === 0 && page.length === 0)) return 'listed'
    if (!isDoubtful && page.length <= SHORT_PAGE) return 'listed'
  }
}
