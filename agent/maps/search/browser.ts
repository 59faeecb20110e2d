import type { Page } from 'playwright'
import { ignoreTimeout } from '../../browser/within.ts'
import { parseBody } from '../answers/body.ts'
import { MapFailed } from '../session/fault.ts'
import { drawnHtml, openMapPage, stillServed } from '../session/map-page.ts'
import { listenFor } from '../session/page-answers.ts'
import { type PlaceUrl, parsePlaceUrl } from '../urls/place-url.ts'
import { watchEdge } from './cell.ts'
import { type Card, isLimitedView, parseFeed, saysNothingFound } from './drawn.ts'
import { mayBeCut, mostOf, readPage, type SearchEnd, type SearchExtent } from './http.ts'
import { type FoundPlace, isElsewhere } from './payload.ts'
import { type Search, searchPageUrl } from './url.ts'

/** The facts about a place on a card of the feed, or in the URL of the only match. */
export type ListedPlace = PlaceUrl & Pick<Partial<Card>, 'link' | 'website'>

/** The last element of the feed while more places follow. */
const MORE_TO_COME = 'div[role="feed"] div.lXJj5c'
const LINKS = 'div[role="feed"] a[href*="/maps/place/"]'
const DRAWN = `document.querySelector('${LINKS}') !== null || location.pathname.startsWith('/maps/place/') ||
  document.querySelector('.Q2vNVc') !== null || location.pathname.startsWith('/sorry')`
/** Scrolls the feed of a search page to its end, if the page has one. */
const FEED_SCROLL = `(() => { const feed = document.querySelector('div[role="feed"]'); if (!feed) return;
  feed.scrollTop = feed.scrollHeight; feed.lastElementChild?.scrollIntoView(); feed.dispatchEvent(new Event('scroll')) })()`
const grown = (links: number) =>
  `document.querySelectorAll('${LINKS}').length > ${links} || document.querySelector('${MORE_TO_COME}') === null`

/** The redirect of a search with one match comes by script, after up to ten seconds. */
const DRAWN_MS = 15_000
const GROWN_MS = 6_000
/** After this many rounds without a new card, a page that announces more counts as stuck. */
const STUCK_DRAWN_ROUNDS = 3
/** How long a feed is scrolled. A page has one minute in all. */
const SCROLL_MS = 40_000

/**
 * Opens a search in Chromium and scrolls its feed until it shows enough places, ends, or has left the cell. Calls `onPlaces`
 * with the new places of each round. A search with one match leads to the place itself. Throws MapFailed or what Chromium
 * throws.
 */
export async function searchInBrowser(
  page: Page,
  base: URL,
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: ListedPlace[]) => void,
): Promise<SearchEnd> {
  await openMapPage(page, searchPageUrl(base, search))
  await page.waitForFunction(DRAWN, undefined, { timeout: DRAWN_MS }).catch(ignoreTimeout)
  stillServed(page)
  const only = new URL(page.url()).pathname.startsWith('/maps/place/') ? parsePlaceUrl(page.url()) : undefined
  if (only) {
    onPlaces([only])
    return { found: true, limited: isLimitedView(await drawnHtml(page)), cut: false, foreign: 0 }
  }
  return scrollFeed(page, extent, onPlaces)
}

async function scrollFeed(
  page: Page,
  extent: SearchExtent,
  onPlaces: (places: ListedPlace[]) => void,
): Promise<SearchEnd> {
  const wanted = mostOf(extent)
  const edge = watchEdge(extent.cell)
  const seen = new Set<string>()
  let limited = false
  let more = false
  const until = Date.now() + SCROLL_MS
  for (let stuck = 0; stuck < STUCK_DRAWN_ROUNDS && Date.now() < until; ) {
    stillServed(page)
    const html = await drawnHtml(page)
    const feed = parseFeed(html)
    if (!feed) return endWithoutFeed(html)
    limited ||= feed.limited_view
    more = feed.spinner
    const fresh = newPlaces(feed.cards, seen).slice(0, wanted - seen.size)
    for (const { place_key } of fresh) seen.add(place_key)
    edge.note(fresh)
    if (fresh.length > 0) onPlaces(fresh)
    if (seen.size >= wanted || !feed.spinner || edge.left()) break
    stuck = fresh.length > 0 ? 0 : stuck + 1
    await page.evaluate(FEED_SCROLL)
    await page.waitForFunction(grown(feed.cards.length), undefined, { timeout: GROWN_MS }).catch(ignoreTimeout)
  }
  const cut = !edge.left() && (more || mayBeCut(seen.size, extent))
  return { found: seen.size > 0, limited, cut, foreign: 0 }
}

function endWithoutFeed(html: string): SearchEnd {
  if (saysNothingFound(html)) return { found: false, limited: isLimitedView(html), cut: false, foreign: 0 }
  throw new MapFailed('broken')
}

function newPlaces(cards: readonly Card[], seen: ReadonlySet<string>): Card[] {
  const fresh = cards.filter(({ place_key, sponsored }) => !sponsored && !seen.has(place_key))
  return [...new Map(fresh.map((card) => [card.place_key, card])).values()]
}

const FIRST_MS = 20_000
/** A scroll may draw only cards that have arrived already, so the next scroll follows soon. */
const NEXT_MS = 500
const STUCK_PAYLOAD_ROUNDS = 12

/**
 * Opens a search in Chromium, scrolls, and reads the payloads that the page requests, until they hold enough places, no more
 * come, or the list has left the cell. Throws MapFailed or what Chromium throws.
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
  for (let stuck = 0; stuck < STUCK_PAYLOAD_ROUNDS && seen.size < wanted && !edge.left() && Date.now() < until; ) {
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
