import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, expect, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'
import { type Product, startProduct } from './product.ts'

/** The product and a browser in front of it. */
export type RunningConsole = {
  product: Product
  /**
   * Opens a tab in a new browser profile, signed in as the owner unless `signedIn` is false. After the test it fails if
   * a page broke its content policy, contacted another host, or logged an error.
   */
  openTab(options?: TabOptions): Promise<Page>
}

type TabOptions = BrowserContextOptions & {
  signedIn?: boolean
  /** Another origin that the tab visits. */
  visits?: string
}

/** Starts the product and one Chromium for a file of tests. Their start takes longer than most tests. */
export async function startConsole(): Promise<RunningConsole> {
  const [product, browser] = await Promise.all([startProduct(), launchChromium()])
  afterAll(() => browser.close())
  return { product, openTab: (options) => openTab(browser, product, options) }
}

async function openTab(browser: Browser, product: Product, { signedIn = true, visits, ...options }: TabOptions = {}) {
  const context = await browser.newContext({
    baseURL: product.url,
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
  if (signedIn) await context.addCookies([{ ...(await product.session()), url: product.url }])
  watch(context, [product.url, visits], (fault) => faults.push(fault))
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
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
