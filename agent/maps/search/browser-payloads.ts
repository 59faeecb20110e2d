import type { Page } from 'playwright'
import { parseBody } from '../answers/body.ts'
import { MapFailed } from '../session/fault.ts'
import { openMapPage } from '../session/map-page.ts'
import { listenFor } from '../session/page-answers.ts'
import { FEED_SCROLL, MORE_TO_COME } from './browser.ts'
import { watchEdge } from './edge.ts'
import { mayBeCut, mostOf, readPage, type SearchEnd, type SearchExtent } from './http.ts'
import { type FoundPlace, isElsewhere } from './payload.ts'
import { type Search, searchPageUrl } from './url.ts'

const FIRST_MS = 20_000
/** A scroll may only draw what has come already, so the next one follows soon. */
const NEXT_MS = 500
const STUCK_ROUNDS = 12
const SCROLL_MS = 40_000

/**
 * Opens a search in Chromium and takes the payloads that the page asks for itself, scrolling for more, until as
 * many places as wanted are there, no more come, or the list has left the cell. Throws MapFailed or what Chromium throws.
 */
export async function searchPayloadsInBrowser(
  page: Page,
  base: URL,
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: FoundPlace[]) => void,
): Promise<SearchEnd> {
  const answers = listenFor(page, isSearchPayload)
  await openMapPage(page, searchPageUrl(base, search))
  const wanted = mostOf(extent)
  const edge = watchEdge(extent.cell)
  const seen = new Set<string>()
  let answered = false
  const until = Date.now() + SCROLL_MS
  for (let stuck = 0; stuck < STUCK_ROUNDS && seen.size < wanted && !edge.left() && Date.now() < until; ) {
    const payload = parseBody((await answers.next(answered ? NEXT_MS : FIRST_MS)) ?? '')
    if (payload === undefined && !answered) throw new MapFailed('broken')
    answered = true
    const result = payload === undefined ? undefined : readPage(payload)
    if (result && isElsewhere(result, search)) throw new MapFailed('broken')
    const places = result?.places ?? []
    const fresh = places.filter(({ place }) => !seen.has(place.place_key)).slice(0, wanted - seen.size)
    for (const { place } of fresh) seen.add(place.place_key)
    edge.note(fresh.map(({ place }) => place))
    if (fresh.length > 0) onPlaces(fresh)
    stuck = fresh.length > 0 ? 0 : stuck + 1
    if (stuck > 0 && (await page.locator(MORE_TO_COME).count()) === 0) break
    await page.evaluate(FEED_SCROLL)
  }
  return { found: seen.size > 0, limited: false, cut: !edge.left() && mayBeCut(seen.size, extent), foreign: 0 }
}

function isSearchPayload({ pathname, searchParams }: URL): boolean {
  return pathname === '/search' && searchParams.get('tbm') === 'map'
}
