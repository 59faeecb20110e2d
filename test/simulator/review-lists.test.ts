import type { MapSite } from '@placefleet/deploy/simulation/map-site/server'
import { expect, test } from 'vitest'
import { at, listAt, mapSite, placeWith, unguarded } from './asking.ts'

const listAddress = (site: MapSite, id: string, { token = '', sort = 1 } = {}) =>
  `${site.url}/maps/rpc/listugcposts?authuser=0&hl=en&pb=${encodeURIComponent(`!1m6!1s${id}!6m4!4m1!1e1!4m1!1e3!2m2!1i20!2s${token}!5m2!1sx!7e81!8m9!2b1!3b1!5b1!7b1!12m4!1b1!2b1!4m1!1e1!11m0!13m1!1e${sort}`)}`

const popular = (site: MapSite) =>
  placeWith(site, ({ rating }) => (rating?.count ?? 0) >= 50 && (rating?.count ?? 0) < 100)

async function allIds(site: MapSite, index: number, sort = 1): Promise<unknown[]> {
  const found: unknown[] = []
  let token = ''
  do {
    const page = unguarded(
      await (await fetch(listAddress(site, site.city.details(index).ids.dataId, { token, sort }))).text(),
    )
    found.push(...listAt(page, 2).map((item) => at(item, 0, 0)))
    token = String(at(page, 1) ?? '')
  } while (token)
  return found
}

test('following the tokens gives all reviews once', async () => {
  const site = await mapSite()
  const index = popular(site)
  const ids = await allIds(site, index)
  expect(ids).toHaveLength(site.city.details(index).rating?.count ?? 0)
  expect(ids).toEqual(site.city.reviews(index).map(({ id }) => id))
})

test.each([
  [2, 'newest'],
  [3, 'highest'],
  [4, 'lowest'],
] as const)('sort %i gives the %s first', async (sort, order) => {
  const site = await mapSite()
  const index = popular(site)
  expect(await allIds(site, index, sort)).toEqual(site.city.reviews(index, order).map(({ id }) => id))
})

test('a list may end early, without a token', async () => {
  const site = await mapSite({ reviewsCut: 8 })
  expect(await allIds(site, popular(site))).toHaveLength(8)
})

test('the token of the next page may be missing', async () => {
  const site = await mapSite({ missingTokens: 1 })
  expect(await allIds(site, popular(site))).toHaveLength(20)
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
