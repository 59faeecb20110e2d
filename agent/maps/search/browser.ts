import type { Positioned } from '@placefleet/shared/cell'
import { ignoreTimeout } from '../../browser/within.ts'
import { parseBody } from '../answers/body.ts'
import { MapFailed } from '../requests/failure.ts'
import { drawnHtml, openMapPage, stillServed } from '../requests/map-page.ts'
import type { MapTab } from '../requests/map-tab.ts'
import { listenFor, type PageAnswers } from '../requests/page-answers.ts'
import { type Round, scrollToEnd } from '../requests/scroll.ts'
import { type PlaceUrl, parsePlaceUrl } from '../urls/place-url.ts'
import { createListed, watchEdge } from './cell.ts'
import { type Card, isLimitedView, parseFeed, saysNothingFound } from './drawn.ts'
import { mayBeCut, mostOf, type SearchEnd, type SearchExtent } from './http.ts'
import { embeddedSearch, isElsewhere, parseSearchPayload, type SearchHit, type SearchResult } from './payload.ts'
import { type Search, searchPageUrl } from './url.ts'

/** A place that a search page lists: its data or, where none came, the facts of its card or its URL. */
export type PageHit = SearchHit | { readonly place: PlaceUrl & Pick<Partial<Card>, 'link' | 'website'> }

const MORE_TO_COME = 'div[role="feed"] div.lXJj5c'
const LINKS = 'div[role="feed"] a[href*="/maps/place/"]'
const DRAWN = `document.querySelector('${LINKS}') !== null || location.pathname.startsWith('/maps/place/') ||
  document.querySelector('.Q2vNVc') !== null || location.pathname.startsWith('/sorry')`
const FEED_SCROLL = `(() => { const feed = document.querySelector('div[role="feed"]'); if (!feed) return;
  feed.scrollTop = feed.scrollHeight; feed.lastElementChild?.scrollIntoView(); feed.dispatchEvent(new Event('scroll')) })()`
const grown = (links: number) =>
  `document.querySelectorAll('${LINKS}').length > ${links} || document.querySelector('${MORE_TO_COME}') === null`

/** A script redirects a search with one match, after up to ten seconds. */
const DRAWN_MS = 15_000
const GROWN_MS = 6_000
const ANSWER_MS = 5_000
/** After this many rounds without a new place, a page that announces more counts as stuck. */
const STUCK_ROUNDS = 3

/**
 * Opens a search in Chromium and scrolls its feed until there are enough places, the feed ends, or its last forty
 * places all lie outside the cell. Reads the data that the page holds and requests, at any path, and the cards whose
 * data did not come. Calls `onPlaces` with the new places of each round. A search with one match leads to the place
 * itself. Throws MapFailed or the error of Chromium.
 */
export async function searchInBrowser(
  tab: MapTab,
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: PageHit[]) => void,
): Promise<SearchEnd> {
  const { page } = tab
  const answers = listenFor(tab, mayBeSearchPayload)
  const { text } = await openMapPage(tab, searchPageUrl(tab, search))
  // Some pages hold the first answer, and request only those after it, once the drawn list is scrolled.
  let embedded = embeddedSearch(text)
  await page.waitForFunction(DRAWN, undefined, { timeout: DRAWN_MS }).catch(ignoreTimeout)
  const listed = createListed(mostOf(extent))
  const edge = watchEdge(extent.cell)
  let [limited, more, drawn] = [false, false, 0]
  const round = async (): Promise<Round> => {
    stillServed(page)
    const results = [...(embedded ? [embedded] : []), ...(await searchResults(answers))]
    embedded = undefined
    if (results.some((result) => isElsewhere(result, search))) throw new MapFailed('unknown')
    const drawnPage = await drawnHtml(page)
    const feed = parseFeed(drawnPage)
    const only = new URL(page.url()).pathname.startsWith('/maps/place/') ? parsePlaceUrl(page.url()) : undefined
    if (results.length === 0 && !feed && !only && !saysNothingFound(drawnPage)) throw new MapFailed('unknown')
    limited ||= isLimitedView(drawnPage)
    more = feed?.spinner ?? false
    drawn = feed?.cards.length ?? 0
    const hits = results.flatMap(({ places }) => places)
    const cards = (feed?.cards ?? []).filter(({ sponsored }) => !sponsored)
    const found = only ? [...hits.filter(({ place }) => place.place_key === only.place_key), { place: only }] : hits
    const added = listed.add<PageHit>([...found, ...cards.map((card) => ({ place: card }))])
    edge.note(added.map(({ place }): Positioned => place))
    if (added.length > 0) onPlaces(added)
    if (!more || listed.count() >= mostOf(extent) || edge.left()) return 'end'
    return added.length > 0 ? 'grew' : 'same'
  }
  const scroll = async () => {
    await page.evaluate(FEED_SCROLL)
    await page.waitForFunction(grown(drawn), undefined, { timeout: GROWN_MS }).catch(ignoreTimeout)
  }
  await scrollToEnd(tab, round, scroll, STUCK_ROUNDS)
  const cut = !edge.left() && (more || mayBeCut(listed.count(), extent))
  return { hasPlaces: listed.count() > 0, limited, cut }
}

/** Returns whether a page may request a search payload with this URL. Map tiles have such parameters too. */
const mayBeSearchPayload = ({ pathname, searchParams }: URL): boolean =>
  searchParams.has('pb') && !pathname.startsWith('/maps/vt')

async function searchResults(answers: PageAnswers): Promise<SearchResult[]> {
  const results: SearchResult[] = []
  while (answers.areExpected()) {
    const text = await answers.next(ANSWER_MS)
    if (text === undefined) break
    const result = parseSearchPayload(parseBody(text))
    if (result.shape === 'found' || result.shape === 'empty') results.push(result)
  }
  return results
}
