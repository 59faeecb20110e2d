import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { profileOf } from '@placefleet/agent/browser/browser-profile'
import { createGuard } from '@placefleet/agent/egress/guard'
import { createHttpClient } from '@placefleet/agent/egress/http-client'
import { createWebsitePages } from '@placefleet/agent/website/fetch-page'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../harness/network/certificates.ts'
import { listenOnFreePort, serve } from '../../harness/network/serve.ts'
import { until } from '../../harness/until.ts'

const { signal } = new AbortController()

/** Returns the pages of a site that may be on this machine. */
function pagesOf(url: string) {
  const guard = createGuard(new Set(), url)
  const pages = createWebsitePages(
    (options) => createHttpClient(guard, undefined, options),
    profileOf('153.0.0.0'),
    'en',
  )
  onTestFinished(pages.close)
  return pages
}

test('a redirect to a private address is refused', async () => {
  const hits: string[] = []
  const trap = await serve((request, response) => response.end(hits.push(request.url ?? '')))
  const { url } = await serve((_request, response) => response.writeHead(302, { location: trap.url }).end())
  const { get } = pagesOf(url)
  const { redirect } = await get(new URL(url), signal)
  expect(redirect?.href).toBe(`${trap.url}/`)
  await expect(get(redirect ?? new URL(url), signal)).rejects.toMatchObject({ fault: 'refused' })
  expect(hits).toEqual([])
})

test('its connections end with the visit', async () => {
  const sockets = new Set<Socket>()
  // The site itself would close an unused connection much later.
  const site = createHttpServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    sockets.add(request.socket)
    response.end()
  })
  const { host } = await listenOnFreePort(site)
  const url = `http://${host}/`
  const { get, close } = pagesOf(url)
  await get(new URL(url), signal)
  await close()
  await until('the site sees the end of its connections', () => [...sockets].every(({ destroyed }) => destroyed))
})

/** Starts a site with a certificate of an authority that nobody knows. It sets a cookie and shows those that come. */
async function secureSite(
  names: string[],
  days: { from: number; to: number },
  options: { signsItself?: boolean } = {},
) {
  const authority = await createAuthority()
  const identity = await authority.issue(names, days)
  const chain = options.signsItself ? { ...identity, cert: `${identity.cert}\n${authority.ca}` } : identity
  const show: RequestListener = (request, response) => {
    response.setHeader('set-cookie', 'seen=1')
    response.end(request.headers.cookie ?? 'no cookie')
  }
  return `https://${(await listenOnFreePort(createServer(chain, show))).host}`
}

test.each([
  ['a chain without its middle', { from: -1, to: 1 }],
  ['an expired certificate', { from: -9, to: -1 }],
])('a site with %s is read, without cookies', async (_, days) => {
  const url = await secureSite(['127.0.0.1'], days)
  const { get } = pagesOf(url)
  expect(await get(new URL(url), signal)).toMatchObject({ status: 200, text: 'no cookie' })
  expect(await get(new URL(url), signal)).toMatchObject({ status: 200, text: 'no cookie' })
})

test('a site whose certificate an unknown authority signed, and shows, is not read', async () => {
  const url = await secureSite(['127.0.0.1'], { from: -1, to: 1 }, { signsItself: true })
  await expect(pagesOf(url).get(new URL(url), signal)).rejects.toMatchObject({ fault: 'network' })
})
