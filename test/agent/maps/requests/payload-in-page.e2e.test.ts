import { createGuard } from '@placefleet/agent/egress/guard'
import { createClientMemory } from '@placefleet/agent/maps/requests/client-memory'
import { payloadInPage } from '@placefleet/agent/maps/requests/map-page'
import type { MapTab } from '@placefleet/agent/maps/requests/map-tab'
import { listenFor } from '@placefleet/agent/maps/requests/page-answers'
import { afterAll, expect, test } from 'vitest'
import { sharedBrowser } from '../../../harness/browser.ts'
import { serve } from '../../../harness/network/serve.ts'
import { anExit, onTab } from './tabs.ts'

type Answer = { status: number; body: string; location?: string }

const PAYLOAD: Answer = { status: 200, body: ")]}'\n[1,2]" }
const PAGE: Answer = { status: 200, body: '<!doctype html><html><title>a page of the site</title></html>' }
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const { signal } = new AbortController()

let answer = PAYLOAD
let asked: string[] = []
let clock = { now: 0 }
const { url: origin } = await serve((request, response) => {
  const path = request.url ?? ''
  if (path !== '/maps') asked.push(`${path} ${request.headers['sec-fetch-site']}`)
  const { status, body, location } = path.startsWith('/maps/preview/') ? answer : PAGE
  response.writeHead(status, location === undefined ? {} : { location }).end(body)
}, afterAll)
const site = new URL(origin)
const open = sharedBrowser()

/** Opens a page of the site on a tab. */
async function withTab(use: (tab: MapTab) => Promise<void>): Promise<void> {
  answer = PAYLOAD
  asked = []
  clock = { now: 0 }
  const exit = { ...anExit(0), memory: createClientMemory(() => clock.now) }
  const { egress, browsers } = await open(createGuard(new Set(), site.origin))
  const session = await browsers.open(egress.grant('direct'), 'en', signal)
  const opened = async (tab: MapTab) => {
    await tab.page.goto(new URL('/maps', site).href)
    await use(tab)
  }
  await session.withPage(onTab(site, opened, exit), { timeoutMs: MINUTE, signal }).finally(session.close)
}

const question = new URL('/maps/preview/place?pb=1', site)

test('an open page of the site gets the payload with a request like the page’s own', () =>
  withTab(async (tab) => {
    expect(await payloadInPage(tab, question)).toEqual([1, 2])
    expect(asked).toEqual(['/maps/preview/place?pb=1 same-origin'])
  }))

test('a page of another site is not asked', () =>
  withTab(async (tab) => {
    await tab.page.goto('about:blank')
    expect(await payloadInPage(tab, question)).toBeUndefined()
    expect(asked).toEqual([])
  }))

const REFUSALS: [string, Answer][] = [
  ['too many requests', { status: 429, body: '' }],
  ['the captcha', { status: 200, body: '<html><form id="captcha-form" action="index"></form></html>' }],
  ['a redirect to the captcha', { status: 302, body: '', location: '/sorry/index?continue=x' }],
]
const FORBIDDEN: [string, Answer] = ['a 403 on what came before', { status: 403, body: '' }]

test.each([...REFUSALS, FORBIDDEN])('a refusal of a request of ours is reported: %s', (_what, refusal) =>
  withTab(async (tab) => {
    expect(await payloadInPage(tab, question)).toEqual([1, 2])
    answer = refusal
    await expect(payloadInPage(tab, new URL('?pb=2', question))).rejects.toMatchObject({ fault: 'exit_refused' })
  }),
)

test.each([...REFUSALS, FORBIDDEN])('a refusal of the page’s own request is reported: %s', (_what, refusal) =>
  withTab(async (tab) => {
    const answers = listenFor(tab, ({ pathname }) => pathname.startsWith('/maps/preview/'))
    await tab.page.goto(new URL('/maps', site).href)
    const ask = (nth: number) => tab.page.evaluate(`void fetch('/maps/preview/place?pb=${nth}')`)
    await ask(1)
    expect(await answers.next(MINUTE)).toBe(PAYLOAD.body)
    answer = refusal
    await ask(2)
    await expect(answers.next(MINUTE)).rejects.toMatchObject({ fault: 'exit_refused' })
  }),
)

test('for an hour after a refusal no page is asked again', () =>
  withTab(async (tab) => {
    answer = { status: 429, body: '' }
    await expect(payloadInPage(tab, question)).rejects.toMatchObject({ fault: 'exit_refused' })
    answer = PAYLOAD
    clock.now = HOUR - 1
    expect(await payloadInPage(tab, question)).toBeUndefined()
    clock.now = HOUR
    expect(await payloadInPage(tab, question)).toEqual([1, 2])
  }))

test.each<[string, Answer]>([
  ['an error of the moment', { status: 500, body: 'error' }],
  ['an answer cut off', { status: 200, body: ")]}'\n[1,2" }],
  ['not allowed', { status: 403, body: '' }],
  ['not known to this site', { status: 404, body: '' }],
  ['a redirect to the consent form', { status: 302, body: '', location: 'http://consent.localhost:9/m' }],
  ['a redirect to another host', { status: 302, body: '', location: 'http://localhost:9/' }],
])('one bad answer says nothing about the next: %s', (_what, bad) =>
  withTab(async (tab) => {
    answer = bad
    expect(await payloadInPage(tab, question)).toBeUndefined()
    answer = PAYLOAD
    expect(await payloadInPage(tab, question)).toEqual([1, 2])
  }),
)

test('a bug in such a request is thrown, and not taken for silence of the site', () =>
  withTab(async (tab) => {
    const url = Object.assign(new URL(question), { username: 'nobody' }) // fetch takes no credentials
    await expect(payloadInPage(tab, url)).rejects.toThrow('page.evaluate: TypeError')
  }))
