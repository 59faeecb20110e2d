import { profileOf } from '@placefleet/agent/browser/browser-profile'
import { type Browsers, createBrowsers } from '@placefleet/agent/browser/browsers'
import { findChromium, installedVersion } from '@placefleet/agent/browser/find-chromium'
import { launchChromium } from '@placefleet/agent/browser/launch'
import { htmlOf } from '@placefleet/agent/browser/page'
import { createSlots } from '@placefleet/agent/browser/page-slots'
import { openSession } from '@placefleet/agent/browser/session'
import { type EgressProxy, startEgressProxy } from '@placefleet/agent/egress/egress-proxy'
import { createGuard } from '@placefleet/agent/egress/guard'
import { listenFor } from '@placefleet/agent/maps/requests/page-answers'
import { createLogger } from '@placefleet/shared/log'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { mayHaveSandbox } from '../../harness/browser.ts'
import { ownChromium } from '../../harness/chromiums.ts'
import { serve } from '../../harness/network/serve.ts'
import { until } from '../../harness/until.ts'
import { onTab } from '../maps/requests/tabs.ts'

const log = createLogger('test', 'silent')
const never = new AbortController().signal

const PAGES: Record<string, string> = {
  '/plain': '<title>plain</title><link rel="stylesheet" href="/a.css"><img src="/a.png">',
  '/scripted': '<script src="/script.js"></script>',
  '/script.js': 'document.title = "scripted"; setInterval(() => fetch("/ticks", {cache: "no-store"}), 20)',
  '/ticks': 'tick',
  '/huge': '<body><script>document.body.dataset.huge = "a".repeat(20_000_000)</script>',
  '/late': '<script>fetch("/own").then(() => fetch("/end"))</script>',
  '/own': 'its own',
  '/end': 'its end',
  '/hang': '<script>while (true) {}</script>',
  '/alert': '<script>alert(1); document.title = "after"</script>',
}

const hits: string[] = []
const headers: Record<string, unknown>[] = []
const { url: origin } = await serve((request, response) => {
  const path = request.url ?? ''
  hits.push(path)
  headers.push(request.headers)
  const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
  const answer = () =>
    response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=600' }).end(PAGES[path] ?? '')
  if (path === '/late') setTimeout(answer, 300)
  else answer()
}, afterAll)

let egress: EgressProxy
let browsers: Browsers

beforeAll(async () => {
  const guard = createGuard(new Set(), origin)
  egress = await startEgressProxy(guard, log)
  browsers = await startBrowsers()
})

const settings = async () => ({
  find: () => findChromium({ env: ownChromium() }),
  installedVersion: await installedVersion(ownChromium()),
  proxyServer: egress.server,
  sandbox: mayHaveSandbox(),
  log,
})
const startBrowsers = async () => createBrowsers({ ...(await settings()), pagesBeforeRecycling: 3 })

afterAll(async () => {
  await browsers.close()
  await egress.close()
})

async function open(from = browsers) {
  const session = await from.open(egress.grant('direct'), 'de', never)
  onTestFinished(() => session.close())
  return session
}

const limits = { timeoutMs: 20_000, signal: never }
type Session = Awaited<ReturnType<typeof open>>

/** Visits a page of the site. Returns its title. */
const titleOf = (session: Session, path: string) =>
  session.withPage(async (page) => {
    await page.goto(origin + path)
    return page.title()
  }, limits)

/** The longest wait for an answer, also on a slow machine. */
const ANSWERED_MS = 8_000

test('a page that holds twenty million characters is cut inside Chromium', async () => {
  const session = await open()
  const html = await session.withPage(async (page) => {
    await page.goto(`${origin}/huge`)
    return htmlOf(page, 1_000)
  }, limits)
  expect(html).toHaveLength(1_000)
})

test('a page request has the user agent and language of plain HTTP, and loads no images or styles', async () => {
  const session = await open()
  expect(await titleOf(session, '/plain')).toBe('plain')
  const sent = headers[hits.lastIndexOf('/plain')]
  expect(sent).toMatchObject({
    'user-agent': profileOf(await installedVersion(ownChromium())).userAgent,
    'accept-language': 'de-DE,de;q=0.9',
  })
  expect(JSON.stringify(headers)).not.toContain('Headless')
  expect(hits.filter((path) => path.startsWith('/a.'))).toEqual([])
})

test('what Chromium sends without the session of a page has the same user agent', async () => {
  const session = await open()
  const agent = await session.withPage(async (page) => {
    const chromium = await page.context().browser()?.newBrowserCDPSession()
    return (await chromium?.send('Browser.getVersion'))?.userAgent
  }, limits)
  expect(agent).toBe(profileOf(await installedVersion(ownChromium())).userAgent)
})

test('a page that never becomes idle is closed, and the session continues', async () => {
  const session = await open()
  const hung = session.withPage((page) => page.goto(`${origin}/hang`), { timeoutMs: 2_000, signal: never })
  await expect(hung).rejects.toMatchObject({ fault: 'timeout' })
  expect(await titleOf(session, '/alert')).toBe('after')
})

test('a session loads a script once, and another session loads it for itself', async () => {
  const count = () => hits.filter((path) => path === '/script.js').length
  const before = count()
  for (const session of [await open(), await open()]) {
    for (let visit = 0; visit < 3; visit++) expect(await titleOf(session, '/scripted')).toBe('scripted')
  }
  expect(count() - before).toBe(2)
})

test('a visit gets only its own answers, not those of the previous visit', async () => {
  const session = await open()
  const pages = new Set<Page>()
  const visit = (path: string) =>
    session.withPage(
      onTab(new URL(origin), async (tab) => {
        pages.add(tab.page)
        const answers = listenFor(tab, ({ pathname }) => ['/ticks', '/own', '/end'].includes(pathname))
        await tab.page.goto(origin + path)
        return [await answers.next(ANSWERED_MS), await answers.next(ANSWERED_MS)]
      }),
      limits,
    )
  expect(await visit('/scripted')).toEqual(['tick', 'tick'])
  expect(await visit('/late')).toEqual(['its own', 'its end'])
  expect(pages.size).toBe(1)
})

test('a page that works on after its visit is not kept', async () => {
  const session = await open()
  const visited = await session.withPage(async (page) => {
    await page.goto(`${origin}/plain`)
    await page.evaluate('setTimeout(() => { while (true) {} }, 0)')
    return page
  }, limits)
  await expect(session.withPage(async (page) => page === visited, limits)).resolves.toBe(false)
  expect(visited.isClosed()).toBe(true)
})

test('a session has no network once its grant is released', async () => {
  const grant = egress.grant('direct')
  const session = await browsers.open(grant, 'de', never)
  onTestFinished(() => session.close())
  const statusOf = (path: string) =>
    session.withPage(async (page) => (await page.goto(origin + path))?.status(), limits).catch(() => 'failed')
  expect(await statusOf('/plain')).toBe(200)
  grant.revoke()
  const before = hits.length
  expect(await statusOf('/other')).not.toBe(200)
  expect(hits.slice(before)).toEqual([])
})

test('an abort takes the page away and rejects with its reason', async () => {
  const session = await open()
  const abort = new AbortController()
  const pages: Page[] = []
  const visit = session.withPage(
    async (page) => {
      pages.push(page)
      await page.goto(`${origin}/plain`)
      abort.abort(new Error('job cancelled'))
      await page.waitForSelector('#never')
    },
    { ...limits, signal: abort.signal },
  )
  await expect(visit).rejects.toThrow('job cancelled')
  expect(pages[0]?.isClosed()).toBe(true)
})

test('a Chromium that dies is replaced by the next session', async () => {
  const session = await open()
  const visit = session.withPage(async (page) => {
    const context = page.context()
    const devtools = await context.browser()?.newBrowserCDPSession()
    await devtools?.send('Browser.crash')
    await page.goto(`${origin}/plain`)
  }, limits)
  await expect(visit).rejects.toMatchObject({ fault: 'crashed' })
  const next = await open()
  await expect(next.withPage((page) => page.goto(`${origin}/plain`), limits)).resolves.toBeTruthy()
})

test('a page that opens after its task was cancelled is closed, and never used', async () => {
  const { browser, end } = await launchChromium(await settings())
  onTestFinished(end)
  const hooks = { onPage: () => undefined, onClosed: () => undefined, kill: end }
  const given = { grant: egress.grant('direct'), language: 'de', signal: never, log, slots: createSlots(9) }
  const session = await openSession(browser, { ...given, ...hooks })
  const [context] = browser.contexts()
  let opened = 0
  context?.on('page', () => opened++)
  let used = 0
  const cancelled = Array.from({ length: 5 }, () => {
    const stop = new AbortController()
    const use = session.withPage(async () => void used++, { timeoutMs: 20_000, signal: stop.signal })
    stop.abort(new Error('cancelled'))
    return use
  })
  for (const one of cancelled) await expect(one).rejects.toThrow('cancelled')
  const late = session.withPage(async () => void used++, { timeoutMs: 0, signal: never })
  await expect(late).rejects.toMatchObject({ fault: 'timeout' })
  await until('the late pages are closed', () => opened > 0 && context?.pages().length === 0)
  expect(used).toBe(0)
})

test('a page that is used again counts once towards the replacement of Chromium', async () => {
  const fresh = await startBrowsers()
  onTestFinished(() => fresh.close())
  const first = await open(fresh)
  for (let use = 0; use < 5; use++) await first.withPage((page) => page.goto(`${origin}/plain`), limits)
  const browserOf = (session: typeof first) => session.withPage(async (page) => page.context().browser(), limits)
  expect(await browserOf(await open(fresh))).toBe(await browserOf(first))
})
