import type { CheckedPath } from '@placefleet/shared/path-report'
import type { Place } from '@placefleet/shared/place'
import { isEssential, PLACE_PATHS, SEARCH_PATHS, type WatchedPath } from '../drift/watched-paths.ts'
import { photosInBrowser } from '../maps/photos/browser.ts'
import { placeInBrowser } from '../maps/place/browser.ts'
import { placeByHttp } from '../maps/place/http.ts'
import { type PlaceReading, readPayload } from '../maps/place/payload/payload.ts'
import { frontPageUrl } from '../maps/requests/front-page.ts'
import type { MapSession } from '../maps/requests/identity.ts'
import { openMapPage } from '../maps/requests/map-page.ts'
import { openFrontPage, requestPayload } from '../maps/requests/map-request.ts'
import type { MapTab } from '../maps/requests/map-tab.ts'
import type { Verdict } from '../maps/requests/verdicts.ts'
import { reviewsInBrowser } from '../maps/reviews/browser.ts'
import { requestReviews, reviewVerdict } from '../maps/reviews/http.ts'
import { type PageHit, searchInBrowser } from '../maps/search/browser.ts'
import { isLimitedView } from '../maps/search/drawn.ts'
import { readPage } from '../maps/search/pages.ts'
import type { SearchHit } from '../maps/search/payload.ts'
import { type Search, searchPayloadUrl } from '../maps/search/url.ts'
import type { PlaceUrl } from '../maps/urls/place-url.ts'

/** What is requested. `place`: one that a search has listed, if any has. */
export type Question = { readonly search: Search; readonly place: PlaceUrl | undefined }

/** What came. `listed`: the places of a search. */
export type DoorResult = {
  readonly verdict: Verdict
  readonly found?: number
  readonly missing?: readonly string[]
  readonly limited?: boolean
  readonly listed?: readonly Place[]
}

/** Asks through one door. Throws MapFailed, or an error of Chromium, where it brings nothing. */
type Ask = (session: MapSession, question: Question) => Promise<DoorResult>

/** The doors of each rung, in the order in which they are asked. */
export const DOORS_OF: Readonly<Record<CheckedPath['rung'], readonly (readonly [CheckedPath['door'], Ask])[]>> = {
  http: [
    [
      'front page',
      async (session) => {
        await openFrontPage(session)
        return { verdict: 'whole' }
      },
    ],
    [
      'search',
      async (session, { search }) => {
        const { places } = await requestPayload(session, searchPayloadUrl(session.identity, search), readPage)
        return ofSearch(places)
      },
    ],
    ['place', async (session, question) => ofReadPlace(readPayload(await placeByHttp(session, placeOf(question))))],
    [
      'GetLocalBoqProxy',
      async (session, question) => {
        const list = await requestReviews(session, { place: placeOf(question), order: 'newest' })
        return { verdict: reviewVerdict(list), found: list.reviews.length }
      },
    ],
  ],
  browser: [
    [
      'front page',
      inTab(
        async (tab) => {
          const { text } = await openMapPage(tab, frontPageUrl(tab))
          return { verdict: 'whole', limited: isLimitedView(text) }
        },
        () => 'doubtful_empty',
      ),
    ],
    [
      'search',
      inTab(async (tab, { search }) => {
        const hits: PageHit[] = []
        const { limited } = await searchInBrowser(tab, search, { pages: 1 }, (round) => hits.push(...round))
        return { ...ofSearch(hits.filter((hit) => 'whole' in hit)), limited }
      }),
    ],
    ['place', inTab(async (tab, question) => ofReadPlace(await placeInBrowser(tab, placeOf(question))))],
    [
      'reviews in the page',
      inTab(async (tab, question) => {
        const query = { place: placeOf(question), order: 'newest', enough: hasItems, ends: () => false } as const
        return ofList((await reviewsInBrowser(tab, query)).reviews)
      }),
    ],
    [
      'photos in the page',
      inTab(async (tab, question) => ofList((await photosInBrowser(tab, placeOf(question), hasItems)).photos)),
    ],
  ],
}

/** Only searches and front pages are asked without a place. */
function placeOf({ place }: Question): PlaceUrl {
  if (!place) throw new Error('no place to ask for')
  return place
}

function inTab(
  use: (tab: MapTab, question: Question) => Promise<DoorResult>,
  judge = ({ verdict }: DoorResult): Verdict => verdict,
): Ask {
  return ({ identity, signal }, question) => identity.browser.withTab((tab) => use(tab, question), judge, signal)
}

function hasItems(list: readonly unknown[]): boolean {
  return list.length > 0
}

const ofList = (list: readonly unknown[]): DoorResult => ({
  verdict: hasItems(list) ? 'whole' : 'doubtful_empty',
  found: list.length,
})

function ofSearch(places: readonly SearchHit[]): DoorResult {
  const listed = places.map(({ place }) => place)
  if (listed.length === 0) return { verdict: 'doubtful_empty', found: 0 }
  return { ...ofFields(listed, SEARCH_PATHS, []), listed }
}

function ofReadPlace({ result, missing }: PlaceReading): DoorResult {
  return result.ok ? ofFields([result.place], PLACE_PATHS, missing) : { verdict: 'layout', found: 0 }
}

/** @param gaps parts that the site seems to have left out */
function ofFields(
  places: readonly Partial<Place>[],
  watched: readonly WatchedPath[],
  gaps: readonly string[],
): DoorResult {
  const absent = watched.filter(({ field }) => places.every((place) => place[field] === undefined))
  const missing = [...new Set([...gaps, ...absent.map(({ field }) => field)])]
  const verdict = absent.some(isEssential) ? 'layout' : gaps.length > 0 ? 'trimmed' : 'whole'
  return { verdict, found: places.length, missing }
}
