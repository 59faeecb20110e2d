import { createGuard } from '@placefleet/agent/egress/guard'
import { photosInBrowser } from '@placefleet/agent/maps/photos/browser'
import { placeInBrowser } from '@placefleet/agent/maps/place/browser'
import { placeByHttp } from '@placefleet/agent/maps/place/http'
import { missingParts } from '@placefleet/agent/maps/place/payload/payload'
import type { Exchange } from '@placefleet/agent/maps/requests/exchange'
import type { Exit } from '@placefleet/agent/maps/requests/exit'
import { createIdentity, type MapSession } from '@placefleet/agent/maps/requests/identity'
import { openMapPage } from '@placefleet/agent/maps/requests/map-page'
import { openFrontPage, requestPayload } from '@placefleet/agent/maps/requests/map-request'
import type { MapTab } from '@placefleet/agent/maps/requests/map-tab'
import { reviewsInBrowser } from '@placefleet/agent/maps/reviews/browser'
import { requestReviews } from '@placefleet/agent/maps/reviews/http'
import { searchInBrowser } from '@placefleet/agent/maps/search/browser'
import { controlPlaceInBrowser, searchForSure, searchInBrowserForSure } from '@placefleet/agent/maps/search/control'
import { readPage, searchForPlace } from '@placefleet/agent/maps/search/pages'
import { searchPayloadUrl } from '@placefleet/agent/maps/search/url'
import { placePageUrl } from '@placefleet/agent/maps/urls/place-url'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { createLogger } from '@placefleet/shared/log'
import type { Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from '../../../harness/browser.ts'
import { until } from '../../../harness/until.ts'
import { mapSite, placesWithReviews } from '../../collect/collecting.ts'
import { anExit } from './tabs.ts'

const open = sharedBrowser()
const never = new AbortController().signal
const NO_TURN = new Set(['asset', 'image', 'other'])

/**
 * A session with a simulated site: the turns of its exit, how many requests the site got, and those over plain HTTP.
 */
async function counted(options: Partial<SiteOptions> = {}, country?: string) {
  const site = await mapSite(options)
  const base = new URL(site.url)
  const guard = createGuard(new Set(), site.url)
  let turns = 0
  const own = anExit()
  const exit: Exit = {
    ...own,
    request(signal, send, ...judged) {
      const counting = () => {
        turns++
        return send()
      }
      return own.request(signal, counting, ...judged)
    },
  }
  const urls: URL[] = []
  const onExchange = ({ by, request }: Exchange) => void (by === 'http' && urls.push(new URL(request.url)))
  const settings = { ...(await open(guard)), guard, base, log: createLogger('test', 'silent'), onExchange }
  const identity = createIdentity(settings, { exit, locale: { language: 'en', country } })
  onTestFinished(() => identity.close())
  const requests = () => {
    const kinds = Object.entries(site.requests().kinds).filter(([kind]) => !NO_TURN.has(kind))
    return kinds.reduce((sum, [, count]) => sum + count, 0)
  }
  const session: MapSession = { identity, signal: never, retryPolicy: { tries: 1, timeouts: false } }
  const onPage = <T>(use: (tab: MapTab) => Promise<T>) => identity.browser.withTab(use, () => 'whole', never)
  const [index = 0] = placesWithReviews(site.city, 60, 200)
  const wanted = { order: 'newest', ends: () => false, enough: () => false, place: site.city.place(index) } as const
  const search = () => requestPayload(session, searchPayloadUrl(identity, { query: 'bakery' }), readPage)
  const other = site.city.place(index + 1)
  return { site, session, turns: () => turns, requests, urls, onPage, wanted, other, search }
}

test.each<[string, Partial<SiteOptions>]>([
  ['without a consent form', {}],
  ['with a consent form', { consent: true }],
])('each request of Chromium takes a turn of the exit: %s', async (_what, options) => {
  const { turns, requests, onPage, wanted } = await counted(options)
  const found = await onPage(async (tab) => {
    const { photos } = await photosInBrowser(tab, wanted.place, wanted.enough)
    const { reviews } = await reviewsInBrowser(tab, wanted)
    const { result } = await placeInBrowser(tab, wanted.place)
    return { photos, reviews, result }
  })
  expect(found.reviews.length).toBeGreaterThan(30)
  expect(found.photos.length).toBeGreaterThan(0)
  expect(found.result.ok).toBe(true)
  expect(requests()).toBeGreaterThan(8)
  await until('all turns are taken', () => turns() >= requests())
  expect(turns()).toBe(requests())
})

/** How many listeners a page has, by event. Playwright does not type them. */
function listenersOf(page: Page): Record<string, number> {
  const names: string[] = Reflect.get(page, 'eventNames').call(page)
  return Object.fromEntries(names.map((name) => [name, Reflect.get(page, 'listenerCount').call(page, name)]))
}

test('work on a page leaves no listener for the next work on it', async () => {
  const { onPage, wanted } = await counted()
  const use = async (tab: MapTab) => {
    const before = listenersOf(tab.page)
    await reviewsInBrowser(tab, wanted)
    return { page: tab.page, before, during: listenersOf(tab.page) }
  }
  const [first, second] = [await onPage(use), await onPage(use)]
  expect(second.page).toBe(first.page)
  expect(first.during).toMatchObject({ request: 1, response: 1 })
  expect(second.before).toEqual(first.before)
})

test('each request over plain HTTP takes a turn of the exit, also a redirect to the consent form and its answer', async () => {
  const { turns, requests, search } = await counted({ consent: true })
  await search()
  expect(requests()).toBeGreaterThan(3)
  expect(turns()).toBe(requests())
})

test('an open page does not keep the exit', async () => {
  const { onPage, search } = await counted()
  await onPage(search)
})

test('plain HTTP and Chromium are one client: each has the cookies of the other', async () => {
  const { site, session, onPage, wanted } = await counted({ consent: true, trimPlainHttp: true })
  const { place_key } = wanted.place
  const missing = async () => missingParts(await placeByHttp(session, { place_key }))
  expect(await missing()).not.toEqual([])
  const { consent } = site.requests().kinds
  await onPage((tab) => openMapPage(tab, placePageUrl(tab, { place_key })))
  expect(site.requests().kinds.consent).toBe(consent) // the answer to the form was kept
  expect(await missing()).toEqual([]) // so was what a script of the page has set
})

/** Returns a tab that notes each URL it asks for. */
const noting = ({ turn, ...tab }: MapTab, note: (url: URL) => void): MapTab => ({
  ...tab,
  turn(url, send) {
    note(url)
    return turn(url, send)
  },
})

test('in Chromium too, the control is the last search of the exit that listed places', async () => {
  const { onPage } = await counted()
  const queries: string[] = []
  await onPage(async (given) => {
    const tab = noting(given, (url) => void queries.push(url.searchParams.get('q') ?? url.pathname))
    const search = (query: string) => searchInBrowserForSure(tab, { query }, { pages: 1 }, () => undefined)
    await search('bakery')
    expect(await search('submarine')).toMatchObject({ hasPlaces: false, limited: false })
    await controlPlaceInBrowser(tab)
  })
  const [bakery, submarine] = ['/maps/search/bakery/', '/maps/search/submarine/']
  expect(queries.slice(0, 4)).toEqual([bakery, submarine, bakery, 'bakery'])
})

test('every request of the agent names the country of the job, over plain HTTP and in Chromium', async () => {
  const { session, urls, onPage, wanted, other } = await counted({}, 'fr')
  const { place } = wanted
  const search = { query: 'bakery', language: 'en', country: 'fr' }
  await openFrontPage(session)
  const target = { extent: { pages: 2 }, onPlaces: async () => undefined, isEnough: () => false }
  await searchForSure(session, false, { ...search, query: 'zzqx' }, target)
  await searchForPlace(session, place)
  await placeByHttp(session, place)
  await requestReviews(session, wanted)
  await onPage(async (given) => {
    const tab = noting(given, (url) => void urls.push(url))
    await searchInBrowser(tab, search, { pages: 1 }, () => undefined)
    await placeInBrowser(tab, other)
    await placeInBrowser(tab, place)
    await reviewsInBrowser(tab, wanted)
    await photosInBrowser(tab, place, wanted.enough)
  })
  const kinds = new Set(urls.map(({ pathname }) => pathname.split('/').slice(0, 3).join('/')))
  const all = ['/httpservice/web', '/maps', '/maps/place', '/maps/preview', '/maps/search', '/search']
  expect([...kinds].sort()).toEqual(all)
  for (const { href, searchParams } of urls) expect({ href, gl: searchParams.get('gl') }).toEqual({ href, gl: 'fr' })
})
