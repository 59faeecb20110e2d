import { createGuard } from '@placefleet/agent/egress/guard'
import type { Exchange } from '@placefleet/agent/maps/requests/exchange'
import { createIdentity, type MapSession } from '@placefleet/agent/maps/requests/identity'
import { controlPlaceByHttp, searchForSure } from '@placefleet/agent/maps/search/control'
import { createLogger } from '@placefleet/shared/log'
import { expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from '../../../harness/browser.ts'
import { mapSite } from '../../collect/collecting.ts'
import { anExit } from '../requests/tabs.ts'

const open = sharedBrowser()
const signal = new AbortController().signal
const locale = { language: 'en', country: 'de' }
const BERLIN = { latitude: 52.52, longitude: 13.405, zoom: 12 }
const EMPTY = { query: 'submarine' }
const FOUND = { query: 'bakery', viewport: BERLIN }

/** An identity at a simulated site, and the queries of its searches. */
async function atSite() {
  const site = await mapSite()
  const base = new URL(site.url)
  const guard = createGuard(new Set(), site.url)
  const queries: (string | null)[] = []
  const onExchange = ({ request }: Exchange) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/search') queries.push(searchParams.get('q'))
  }
  const settings = { ...(await open(guard)), guard, base, log: createLogger('test', 'silent'), onExchange }
  const identity = createIdentity(settings, { exit: anExit(), locale })
  onTestFinished(() => identity.close())
  const session: MapSession = { identity, signal, retryPolicy: { tries: 1, timeouts: false } }
  const target = { extent: { pages: 1 }, onPlaces: async () => undefined, isEnough: () => true }
  const search = (what: typeof EMPTY) => searchForSure(session, false, what, target)
  return { queries, session, search }
}

test('an empty search is held against the last search of the exit that listed places', async () => {
  const { queries, search } = await atSite()
  await search(FOUND)
  expect(await search(EMPTY)).toMatchObject({ hasPlaces: false, limited: false })
  expect(queries).toEqual(['bakery', 'submarine', 'submarine', 'bakery'])
})

test('an exit that has listed nothing yet is asked for restaurants', async () => {
  const { queries, search } = await atSite()
  expect(await search(EMPTY)).toMatchObject({ hasPlaces: false, limited: false })
  expect(await search(EMPTY)).toMatchObject({ hasPlaces: false, limited: false })
  expect(queries).toEqual(['submarine', 'submarine', 'restaurant', 'submarine', 'submarine', 'restaurant'])
})

test('a place that exists is the first of that search', async () => {
  const { queries, session, search } = await atSite()
  await search(FOUND)
  await controlPlaceByHttp(session)
  expect(queries).toEqual(['bakery', 'bakery'])
})
