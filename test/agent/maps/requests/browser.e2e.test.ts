import { createGuard } from '@placefleet/agent/egress/guard'
import { photosInBrowser } from '@placefleet/agent/maps/photos/browser'
import { placeInBrowser } from '@placefleet/agent/maps/place/browser'
import { placeByHttp } from '@placefleet/agent/maps/place/http'
import { missingParts } from '@placefleet/agent/maps/place/payload/payload'
import type { Exit } from '@placefleet/agent/maps/requests/exit'
import { createIdentity, type MapSession } from '@placefleet/agent/maps/requests/identity'
import { openMapPage } from '@placefleet/agent/maps/requests/map-page'
import { requestPayload } from '@placefleet/agent/maps/requests/map-request'
import { reviewsInBrowser } from '@placefleet/agent/maps/reviews/browser'
import { readPage } from '@placefleet/agent/maps/search/pages'
import { searchPayloadUrl } from '@placefleet/agent/maps/search/url'
import { placePageUrl } from '@placefleet/agent/maps/urls/place-url'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { createLogger } from '@placefleet/shared/log'
import { expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from '../../../harness/browser.ts'
import { until } from '../../../harness/until.ts'
import { mapSite, placesWithReviews } from '../../collect/collecting.ts'
import { anExit } from './tabs.ts'

const open = sharedBrowser()
const never = new AbortController().signal
const NO_TURN = new Set(['asset', 'image', 'other'])

/** A session with a simulated site, the turns that its exit gave, and the requests that the site got. */
async function counted(options: Partial<SiteOptions>) {
  const site = await mapSite(options)
  const base = new URL(site.url)
  const guard = createGuard(new Set(), site.url)
  const network = await open(guard)
  let turns = 0
  const own = anExit()
  const exit: Exit = {
    ...own,
    request: (signal, send, ...judged) =>
      own.request(
        signal,
        () => {
          turns++
          return send()
        },
        ...judged,
      ),
  }
  const settings = { ...network, guard, base, log: createLogger('test', 'silent') }
  const identity = createIdentity(settings, { exit, locale: { language: 'en' } })
  onTestFinished(() => identity.close())
  const requests = () => {
    const kinds = Object.entries(site.requests().kinds).filter(([kind]) => !NO_TURN.has(kind))
    return kinds.reduce((sum, [, count]) => sum + count, 0)
  }
  const session: MapSession = { identity, signal: never, retryPolicy: { tries: 1, timeouts: false } }
  return { site, base, session, exit, turns: () => turns, requests }
}

const WANTED = { order: 'newest', ends: () => false, locale: { language: 'en' }, enough: () => false } as const

test.each<[string, Partial<SiteOptions>]>([
  ['without a consent form', {}],
  ['with a consent form', { consent: true }],
])('each request of Chromium takes a turn of the exit: %s', async (_what, options) => {
  const { site, base, session, turns, requests } = await counted(options)
  const [index = 0] = placesWithReviews(site.city, 60, 200)
  const wanted = { ...WANTED, base, place: site.city.place(index) }
  const found = await session.identity.browser.withTab(
    async (tab) => {
      const { photos } = await photosInBrowser(tab, wanted)
      const { reviews } = await reviewsInBrowser(tab, wanted)
      const { result } = await placeInBrowser(tab, base, wanted.place, wanted.locale)
      return { photos, reviews, result }
    },
    () => 'whole',
    never,
  )
  expect(found.reviews.length).toBeGreaterThan(30)
  expect(found.photos.length).toBeGreaterThan(0)
  expect(found.result.ok).toBe(true)
  expect(requests()).toBeGreaterThan(8)
  await until('all turns are taken', () => turns() >= requests())
  expect(turns()).toBe(requests())
})

test('each request over plain HTTP takes a turn of the exit, also a redirect to the consent form and its answer', async () => {
  const { base, session, turns, requests } = await counted({ consent: true })
  await requestPayload(session, searchPayloadUrl(base, { query: 'bakery', language: 'en' }), readPage)
  expect(requests()).toBeGreaterThan(3)
  expect(turns()).toBe(requests())
})

test('an open page does not keep the exit', async () => {
  const { base, session } = await counted({})
  await session.identity.browser.withTab(
    () => requestPayload(session, searchPayloadUrl(base, { query: 'bakery', language: 'en' }), readPage),
    () => 'whole',
    never,
  )
})

test('plain HTTP and Chromium are one client: each has the cookies of the other', async () => {
  const { site, base, session } = await counted({ consent: true, trimPlainHttp: true })
  const { place_key } = site.city.place(placesWithReviews(site.city, 60, 200)[0] ?? 0)
  const missing = async () => {
    const { payload } = await placeByHttp(session, base, { place_key }, { language: 'en' }, ['request'])
    return missingParts(payload)
  }
  expect(await missing()).not.toEqual([])
  const { consent } = site.requests().kinds
  await session.identity.browser.withTab(
    async (tab) => openMapPage(tab, placePageUrl(base, { place_key }, { language: 'en' })),
    () => 'whole',
    never,
  )
  expect(site.requests().kinds.consent).toBe(consent) // the answer to the form was kept
  expect(await missing()).toEqual([]) // so was what a script of the page has set
})
