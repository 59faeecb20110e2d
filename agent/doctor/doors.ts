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
import { checkReviewList } from '../maps/reviews/http.ts'
import { type PageHit, searchInBrowser } from '../maps/search/browser.ts'
import { isLimitedView } from '../maps/search/drawn.ts'
import { readPage } from '../maps/search/pages.ts'
import type { SearchHit } from '../maps/search/payload.ts'
import { type Search, searchPayloadUrl } from '../maps/search/url.ts'
import type { PlaceUrl } from '../maps/urls/place-url.ts'

/** What is requested. `place`: one that a search has listed, if any has. */
export type Question = { readonly base: URL; readonly search: Search; readonly place: PlaceUrl | undefined }

/** What came. `listed`: the places of a search. */
export type DoorResult = {
  readonly verdict: Verdict
  readonly found?: number
  readonly missing?: readonly string[]
  readonly limited?: boolean
  readonly listed?: readonly Place[]
}

/** One door of one rung. It throws MapFailed, or an error of Chromium, where it brings nothing. */
export type DoorOfRung = {
  readonly name: CheckedPath['door']
  readonly needsPlace: boolean
  ask(session: MapSession, question: Question): Promise<DoorResult>
}

type PlaceQuestion = Question & { readonly place: PlaceUrl }

const ofPlace = (
  name: DoorOfRung['name'],
  ask: (session: MapSession, question: PlaceQuestion) => Promise<DoorResult>,
): DoorOfRung => ({
  name,
  needsPlace: true,
  ask(session, { place, ...question }) {
    if (!place) throw new Error('no place to ask for')
    return ask(session, { ...question, place })
  },
})

const overHttp: readonly DoorOfRung[] = [
  {
    name: 'search',
    needsPlace: false,
    async ask(session, { base, search }) {
      const { places } = await requestPayload(session, searchPayloadUrl(base, search), readPage)
      return ofSearch(places)
    },
  },
  ofPlace('place', async (session, { base, search, place }) => {
    const { payload } = await placeByHttp(session, base, place, search, ['request', 'page'])
    return ofReadPlace(readPayload(payload))
  }),
  ofPlace('GetLocalBoqProxy', async (session, { base, search, place }) => {
    const { verdict, reviews } = await checkReviewList(session, { base, place, locale: search, order: 'newest' })
    return { verdict, found: reviews }
  }),
]

/** The doors of each rung, in the order in which they are asked. */
export const DOORS_OF: Readonly<Record<CheckedPath['rung'], readonly DoorOfRung[]>> = {
  http: [
    {
      name: 'front page',
      needsPlace: false,
      async ask(session) {
        await openFrontPage(session)
        return { verdict: 'whole' }
      },
    },
    ...overHttp,
  ],
  browser: [
    {
      name: 'front page',
      needsPlace: false,
      ask: (session, { base, search }) =>
        inTab(
          session,
          async (tab) => {
            const { html } = await openMapPage(tab, frontPageUrl({ base, locale: search }))
            return { verdict: 'whole', limited: isLimitedView(html) }
          },
          () => 'doubtful_empty',
        ),
    },
    {
      name: 'search',
      needsPlace: false,
      ask: (session, { base, search }) =>
        inTab(session, async (tab) => {
          const hits: PageHit[] = []
          const { limited } = await searchInBrowser(tab, base, search, { pages: 1 }, (round) => hits.push(...round))
          return { ...ofSearch(hits.filter((hit) => 'whole' in hit)), limited }
        }),
    },
    ofPlace('place', (session, { base, search, place }) =>
      inTab(session, async (tab) => ofReadPlace(await placeInBrowser(tab, base, place, search))),
    ),
    ofPlace('reviews in the page', (session, { base, search, place }) =>
      inTab(session, async (tab) => {
        const query = { base, place, locale: search, order: 'newest', enough: hasItems, ends: () => false } as const
        return ofList((await reviewsInBrowser(tab, query)).reviews)
      }),
    ),
    ofPlace('photos in the page', (session, { base, search, place }) =>
      inTab(session, async (tab) => {
        const query = { base, place, locale: search, enough: hasItems }
        return ofList((await photosInBrowser(tab, query)).photos)
      }),
    ),
  ],
}

const verdictOn = ({ verdict }: DoorResult): Verdict => verdict

const inTab = (
  { identity, signal }: MapSession,
  use: (tab: MapTab) => Promise<DoorResult>,
  judge: (result: DoorResult) => Verdict = verdictOn,
): Promise<DoorResult> => identity.browser.withTab(use, judge, signal)

const hasItems = (list: readonly unknown[]): boolean => list.length > 0

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
