import type { Positioned } from '@placefleet/shared/cell'
import { ignoreTimeout } from '../../browser/within.ts'
import { parseBody } from '../answers/body.ts'
import { MapFailed } from '../requests/failure.ts'
import { drawnHtml, openMapPage, stillServed } from '../requests/map-page.ts'
import type { MapTab } from '../requests/map-tab.ts'
import { listenFor, type PageAnswers } from '../requests/page-answers.ts'
import { type Round, scrollToEnd } from '../requests/scroll.ts'
import { type PlaceUrl, parsePlaceUrl } from '../urls/place-url.ts'
import { watchEdge } from './cell.ts'
import { type Card, isLimitedView, parseFeed, saysNothingFound } from './drawn.ts'
import { mayBeCut, mostOf, type SearchEnd, type SearchExtent } from './http.ts'
import { embeddedSearch, type FoundPlace, isElsewhere, parseSearchPayload, type SearchResult } from './payload.ts'
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

/** A script redirects a search with one match, after up to ten seconds. */
const DRAWN_MS = 15_000
const GROWN_MS = 6_000
/** After this many rounds without a new card, a page that announces more counts as stuck. */
const STUCK_DRAWN_ROUNDS = 3

/**
 * Opens a search in Chromium and scrolls its feed until there are enough places, the feed ends, or its last forty
 * places all lie outside the cell. Calls `onPlaces` with the new places of each round. A search with one match leads to
 * the place itself. Throws MapFailed or the error of Chromium.
 */
export async function searchInBrowser(
  tab: MapTab,
  base: URL,
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: ListedPlace[]) => void,
): Promise<SearchEnd> {
  const { page } = tab
  await openMapPage(tab, searchPageUrl(base, search))
  await page.waitForFunction(DRAWN, undefined, { timeout: DRAWN_MS }).catch(ignoreTimeout)
  stillServed(page)
  const only = new URL(page.url()).pathname.startsWith('/maps/place/') ? parsePlaceUrl(page.url()) : undefined
  if (only) {
    onPlaces([only])
    return { found: true, limited: isLimitedView(await drawnHtml(page)), cut: false, foreign: 0 }
  }
  return scrollFeed(tab, extent, onPlaces)
}

async function scrollFeed(
  tab: MapTab,
  extent: SearchExtent,
  onPlaces: (places: ListedPlace[]) => void,
): Promise<SearchEnd> {
  const { page } = tab
  const list = createList<Card>(extent, (card) => card, onPlaces)
  let shown = 0
  let limited = false
  let more = false
  const round = async (): Promise<Round> => {
    stillServed(page)
    const html = await drawnHtml(page)
    const feed = parseFeed(html)
    if (!feed && !saysNothingFound(html)) throw new MapFailed('unknown')
    limited ||= isLimitedView(html)
    more = feed?.spinner ?? false
    shown = feed?.cards.length ?? 0
    const grew = list.add(feed?.cards.filter(({ sponsored }) => !sponsored) ?? [])
    if (!more || list.isEnough()) return 'end'
    return grew ? 'grew' : 'same'
  }
  const scroll = async () => {
    await page.evaluate(FEED_SCROLL)
    await page.waitForFunction(grown(shown), undefined, { timeout: GROWN_MS }).catch(ignoreTimeout)
  }
  await scrollToEnd(tab, round, scroll, STUCK_DRAWN_ROUNDS)
  return {
    found: list.found(),
    limited,
    cut: list.mayGoOn(more),
    foreign: 0,
  }
}

const FIRST_MS = 20_000
/** A scroll may draw only cards that have arrived already, so the next scroll follows soon. */
const NEXT_MS = 500
const STUCK_PAYLOAD_ROUNDS = 12

/**
 * Opens a search in Chromium, reads the payload in the page, scrolls, and reads the payloads that the page requests, at
 * any path. Ends with enough places, without new ones, or when the last forty places all lie outside the cell. Throws
 * MapFailed or the error of Chromium.
 */
export async function searchPayloadsInBrowser(
  tab: MapTab,
  base: URL,
  search: Search,
  extent: SearchExtent,
  onPlaces: (places: FoundPlace[]) => void,
): Promise<SearchEnd> {
  const { page } = tab
  const answers = listenFor(tab, mayBeSearchPayload)
  const { html } = await openMapPage(tab, searchPageUrl(base, search))
  const list = createList<FoundPlace>(extent, ({ place }) => place, onPlaces)
  // Some pages hold the first answer, and request only those after it, once the drawn list is scrolled.
  let embedded = embeddedSearch(html)
  if (embedded) await page.waitForFunction(DRAWN, undefined, { timeout: DRAWN_MS }).catch(ignoreTimeout)
  let answered = false
  const round = async (): Promise<Round> => {
    const result = embedded ?? (await nextResult(answers, answered ? NEXT_MS : FIRST_MS))
    embedded = undefined
    if (result === undefined && !answered) throw new MapFailed('unknown')
    answered = true
    if (result && isElsewhere(result, search)) throw new MapFailed('unknown')
    const grew = list.add(result?.places ?? [])
    if (list.isEnough()) return 'end'
    if (grew) return 'grew'
    return (await page.locator(MORE_TO_COME).count()) === 0 ? 'end' : 'same'
  }
  await scrollToEnd(tab, round, () => page.evaluate(FEED_SCROLL), STUCK_PAYLOAD_ROUNDS)
  return { found: list.found(), limited: false, cut: list.mayGoOn(false), foreign: 0 }
}

/** Returns whether a page may request a search payload with this URL. Map tiles have such parameters too. */
const mayBeSearchPayload = ({ pathname, searchParams }: URL): boolean =>
  searchParams.has('pb') && !pathname.startsWith('/maps/vt')

/** Returns the next answer that is a search payload. Undefined when no more answers come. */
async function nextResult(answers: PageAnswers, timeoutMs: number): Promise<SearchResult | undefined> {
  for (let text = await answers.next(timeoutMs); text !== undefined; text = await answers.next(timeoutMs)) {
    const result = parseSearchPayload(parseBody(text))
    if (result.shape === 'found' || result.shape === 'empty') return result
  }
  return undefined
}

type Keyed = Positioned & { readonly place_key: string }

/** Creates the list of the places of a page, each once, up to the extent. `onPlaces` gets the new ones. */
function createList<Item>(extent: SearchExtent, placeOf: (item: Item) => Keyed, onPlaces: (places: Item[]) => void) {
  const wanted = mostOf(extent)
  const edge = watchEdge(extent.cell)
  const keys = new Set<string>()
  return {
    /** Whether a place among these is new. */
    add(items: readonly Item[]): boolean {
      const unseen = items.filter((item) => !keys.has(placeOf(item).place_key))
      const distinct = new Map(unseen.map((item) => [placeOf(item).place_key, item]))
      const fresh = [...distinct.values()].slice(0, wanted - keys.size)
      for (const item of fresh) keys.add(placeOf(item).place_key)
      edge.note(fresh.map(placeOf))
      if (fresh.length > 0) onPlaces(fresh)
      return fresh.length > 0
    },
    /** Whether the list has enough places, or its last forty all lie outside the cell. */
    isEnough: () => keys.size >= wanted || edge.left(),
    found: () => keys.size > 0,
    /** Whether the cell may have more places. `more`: the page announces more. */
    mayGoOn: (more: boolean) => !edge.left() && (more || mayBeCut(keys.size, extent)),
  }
}
