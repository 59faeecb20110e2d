import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { profileOf } from '@placefleet/agent/browser/browser-profile'
import { createGuard } from '@placefleet/agent/egress/guard'
import { createHttpClient } from '@placefleet/agent/egress/http-client'
import { createWebsitePages, decodeText } from '@placefleet/agent/website/fetch-page'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../harness/network/certificates.ts'
import { listenOnFreePort, serve } from '../../harness/network/serve.ts'
import { until } from '../../harness/until.ts'

const { signal } = new AbortController()

/** Returns the pages of a site that may be on this machine. */
function pagesOf(url: string) {
  const guard = createGuard(new Set(), url)
  const profile = profileOf('153.0.0.0')
  const pages = createWebsitePages((options) => createHttpClient(guard, undefined, options), profile, 'en')
  onTestFinished(pages.close)
  return { ...pages, get: (to: URL | string = url) => pages.get(new URL(to), signal) }
}

test('a redirect to a private address is refused', async () => {
  const hits: string[] = []
  const trap = await serve((request, response) => response.end(hits.push(request.url ?? '')))
  const { url } = await serve((_request, response) => response.writeHead(302, { location: trap.url }).end())
  const { get } = pagesOf(url)
  const { redirect } = await get()
  expect(redirect?.href).toBe(`${trap.url}/`)
  await expect(get(redirect)).rejects.toMatchObject({ fault: 'refused' })
  expect(hits).toEqual([])
})

test('its connections end with the visit', async () => {
  const sockets = new Set<Socket>()
  // The site itself would close an unused connection much later.
  const site = createHttpServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    sockets.add(request.socket)
    response.end()
  })
  const { get, close } = pagesOf((await listenOnFreePort(site)).url)
  await get()
  await close()
  await until('the site sees the end of its connections', () => [...sockets].every(({ destroyed }) => destroyed))
})

/** Starts a site with a certificate of an authority that nobody knows. It sets a cookie and shows those that come. */
async function secureSite(days: { from: number; to: number }, signsItself = false) {
  const authority = await createAuthority()
  const identity = await authority.issue(['127.0.0.1'], days)
  const chain = signsItself ? { ...identity, cert: `${identity.cert}\n${authority.ca}` } : identity
  const site = createServer(chain, (request, response) => {
    response.setHeader('set-cookie', 'seen=1')
    response.end(request.headers.cookie ?? 'no cookie')
  })
  return `https://${(await listenOnFreePort(site)).host}`
}

test.each([
  ['a chain without its middle', { from: -1, to: 1 }],
  ['an expired certificate', { from: -9, to: -1 }],
])('a site with %s is read, without cookies', async (_, days) => {
  const { get } = pagesOf(await secureSite(days))
  for (const page of [await get(), await get()]) expect(page).toMatchObject({ status: 200, text: 'no cookie' })
})

test('a site whose certificate an unknown authority signed, and shows, is not read', async () => {
  const { get } = pagesOf(await secureSite({ from: -1, to: 1 }, true))
  await expect(get()).rejects.toMatchObject({ fault: 'network' })
})

const GREEK = Buffer.from([0xca, 0xe1, 0xeb, 0xe7])
const UTF16 = Buffer.from('Καλη', 'utf16le')
const greek = (start: string) => Buffer.concat([Buffer.from(start), GREEK])

test.each<[way: string, body: Buffer, contentType: string]>([
  ['its header', GREEK, 'text/html; charset=iso-8859-7'],
  ['its header in any form', GREEK, 'text/html; Charset = "ISO-8859-7"'],
  ['its header in single quotes', GREEK, "text/html;charset='iso-8859-7'"],
  ['a meta element', greek('<meta charset="iso-8859-7">'), 'text/html'],
  ['a meta element of old', greek('<meta http-equiv=content-type content="text/html; charset=greek">'), ''],
  ['an XML declaration', greek('<?xml version="1.0" encoding="iso-8859-7"?>'), 'text/html'],
  ['a meta element, as its header names none', greek('<meta charset=iso-8859-7>'), 'text/html; charset=none'],
  ['the second meta element', greek('<meta charset="what"><meta charset="iso-8859-7">'), 'text/html'],
  ['a meta element, not a comment', greek('<!-- charset=utf-8 --><meta charset="iso-8859-7">'), 'text/html'],
  ['a meta element, not any text', greek('charset=utf-8 <meta charset="iso-8859-7">'), 'text/html'],
  ['its header, not its meta element', greek('<meta charset="utf-8">'), 'text/html; charset=iso-8859-7'],
  ['its byte order mark', Buffer.from('\ufeffΚαλη'), 'text/html; charset=iso-8859-7'],
  ['its byte order mark of UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), UTF16]), 'text/html'],
  ['its header of UTF-16', UTF16, 'text/html; charset=utf-16le'],
  ['a meta element that cannot be right', Buffer.from('<meta charset="utf-16">Καλη'), 'text/html'],
  ['no known one', Buffer.from('Καλη'), 'text/html; charset=nonsense'],
  ['a comment only', Buffer.from('<!-- <meta charset="iso-8859-7"> -->Καλη'), 'text/html'],
])('a page is read in the charset that browsers take, as %s says', (_, body, contentType) => {
  expect(decodeText(body, contentType)).toMatch(/Καλη$/)
})
