import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, expect, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'
import type { Product } from './product.ts'

/** Starts the one Chromium of a test file. */
export async function startBrowser(): Promise<Browser> {
  const browser = await launchChromium()
  afterAll(() => browser.close())
  return browser
}

export type OpenOptions = BrowserContextOptions & {
  /** Who is signed in; nobody unless given. */
  as?: string
}

/**
 * Creates a tab of a browser of its own. After the test it fails if a page broke its content policy, spoke to another
 * host, or logged an error.
 */
export async function openTab(browser: Browser, product: Product, { as, ...options }: OpenOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: product.url,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce', // an animation draws for as long as a test waits
    ...options,
  })
  if (as !== undefined) {
    const { name, value } = await product.session(as)
    await context.addCookies([{ name, value, url: product.url }])
  }
  const faults: string[] = []
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== product.url) faults.push(`foreign request: ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  onTestFinished(async () => {
    await context.close()
    expect(faults).toEqual([])
  })
  return page
}

/** Chromium logs every answer that is not a success; the pages show those in words. */
const EXPECTED = /^Failed to load resource: the server responded with a status of 4\d\d/
