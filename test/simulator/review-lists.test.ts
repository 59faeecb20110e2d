import { localBoqUrl } from '@placefleet/agent/maps/reviews/local-boq'
import { REVIEW_ORDERS, type ReviewOrder } from '@placefleet/deploy/simulation/map-site/city/reviews'
import type { MapSite } from '@placefleet/deploy/simulation/map-site/server'
import { expect, test } from 'vitest'
import { at, listAt, mapSite, placeWith, unguarded } from './asking.ts'

const popular = (site: MapSite) =>
  placeWith(site, ({ rating }) => (rating?.count ?? 0) >= 70 && (rating?.count ?? 0) < 120)

async function allIds(site: MapSite, index: number, order: ReviewOrder = 'relevant'): Promise<unknown[]> {
  const list = {
    base: new URL(site.url),
    place: { place_key: site.city.details(index).ids.dataId },
    locale: { language: 'en' },
    order,
  }
  const ids: unknown[] = []
  let token = ''
  do {
    const block = at(unguarded(await (await fetch(localBoqUrl(list, token))).text()), 1, 10)
    ids.push(...listAt(block, 2).map((record) => at(record, 5)))
    token = String(at(block, 6) ?? '')
  } while (token)
  return ids
}

test('following the tokens gives all reviews once', async () => {
  const site = await mapSite()
  const index = popular(site)
  const ids = await allIds(site, index)
  expect(ids).toHaveLength(site.city.details(index).rating?.count ?? 0)
  expect(ids).toEqual(site.city.reviews(index).map(({ id }) => id))
})

test.each(REVIEW_ORDERS)('a list in the order %s', async (order) => {
  const site = await mapSite()
  const index = popular(site)
  expect(await allIds(site, index, order)).toEqual(site.city.reviews(index, order).map(({ id }) => id))
})

test('a list may end early, without a token', async () => {
  const site = await mapSite({ reviewsCut: 8 })
  expect(await allIds(site, popular(site))).toHaveLength(8)
})

test('the token of the next page may be missing', async () => {
  const site = await mapSite({ missingTokens: 1 })
  expect(await allIds(site, popular(site))).toHaveLength(60)
})

test('a limited view has five reviews', async () => {
  const site = await mapSite({ limited: true })
  expect(await allIds(site, popular(site))).toHaveLength(5)
})

test('batchexecute answers only the page', async () => {
  const site = await mapSite()
  const args = JSON.stringify([[site.city.details(0).ids.dataId], [10, null], 1])
  const body = new URLSearchParams({
    'f.req': JSON.stringify([[['/MapsUgcPostService.ListUgcPosts', args, null, 'generic']]]),
  })
  const response = await fetch(`${site.url}/maps/_/MapsWizUi/data/batchexecute?rpcids=qv9Egd`, { method: 'POST', body })
  expect(response.status).toBe(400)
  expect(site.requests().refused.rejected).toEqual({ reviews: 1 })
})
