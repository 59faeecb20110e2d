import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, expect, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'

/**
 * Opens a tab in a new browser profile. After the test it fails if a page broke its content policy, contacted another
 * host, or logged an error.
 */
export type OpenTab = (options?: TabOptions) => Promise<Page>

export type TabOptions = BrowserContextOptions & {
  /** The cookie of a session. Without one, nobody is signed in. */
  session?: { name: string; value: string }
  /** Another origin that the tab visits. */
  visits?: string
  /** What the test lets fail, as Chromium logs it. */
  fails?: RegExp
}

/** Starts the one Chromium of a file of tests, in front of a console. */
export async function startBrowser(url: string): Promise<OpenTab> {
  const browser = await launchChromium()
  afterAll(() => browser.close())
  return (options) => openTab(browser, url, options)
}

async function openTab(
  browser: Browser,
  url: string,
  { session, visits, fails, ...options }: TabOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce', // an animation draws for as long as a test waits
    ...options,
  })
  const faults: string[] = []
  onTestFinished(async () => {
    await context.close()
    expect(faults).toEqual([])
  })
  if (session) await context.addCookies([{ ...session, url }])
  watch(context, [url, visits], (fault) => {
    if (!fails?.test(fault)) faults.push(fault)
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000) // machines that run these tests are busy
  return page
}

/** Reports requests to other hosts, broken content policies and errors of all tabs of a browser profile. */
function watch(context: BrowserContext, origins: unknown[], report: (fault: string) => void): void {
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && !origins.includes(url.origin)) report(`foreign request: ${url}`)
  })
  context.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) report(message.text())
  })
  context.on('weberror', (error) => report(String(error.error())))
}

/** Chromium logs every answer that is not a success; the pages show those in words. */
const EXPECTED = /^Failed to load resource: the server responded with a status of 4\d\d/
