import type { Page } from 'playwright'
import { htmlOf } from '../browser/page.ts'
import { type BrowserSession, closeOpened } from '../browser/session.ts'
import { ignoreTimeout } from '../browser/within.ts'
import type { FetchedPage, GetPage } from './crawl.ts'

/** Pages of business websites after their scripts have run. */
type RenderedPages = { get: GetPage; close(): Promise<void> }

const PAGE_MS = 8_000
/** How long scripts may continue to load. */
const SETTLE_MS = 2_000
const MAX_CHARACTERS = 1_500_000
/** A click takes effect within this time. */
const CLICKED_MS = 100

// Clicks only elements that seem to open a mail program, so that nothing is ordered or sent.
const CLICK_MAIL_CODE = `[...document.querySelectorAll('a[href^="javascript:" i], a[onclick], button[onclick]')]
  .filter((link) => /mail|crypt/i.test((link.getAttribute('href') ?? '') + (link.getAttribute('onclick') ?? '')))
  .slice(0, 5).forEach((link) => link.click())`

/** The first page opens a session, and `close` ends it. */
export function createRenderedPages(open: () => Promise<BrowserSession>): RenderedPages {
  let session: Promise<BrowserSession> | undefined
  return {
    async get(url, signal) {
      session ??= open()
      const opened = await session
      return opened.withPage((page) => render(page, url), { timeoutMs: PAGE_MS, signal })
    },
    close: () => closeOpened(session),
  }
}

async function render(page: Page, url: URL): Promise<FetchedPage> {
  const response = await page.goto(url.href, { waitUntil: 'domcontentloaded', timeout: PAGE_MS })
  await page.waitForLoadState('networkidle', { timeout: SETTLE_MS }).catch(ignoreTimeout) // it may never be idle
  const text = await htmlOf(page, MAX_CHARACTERS)
  const rendered = { url: page.url(), text: text + (await linksBehindClicks(page)) }
  return { status: response?.status() ?? 0, contentType: response?.headers()['content-type'] ?? '', ...rendered }
}

/** Returns the `mailto:` links that the page's code builds on a click, as HTML. */
async function linksBehindClicks(page: Page): Promise<string> {
  const links: string[] = []
  const session = await page.context().newCDPSession(page)
  try {
    session.on('Page.frameRequestedNavigation', ({ url }) => void (url.startsWith('mailto:') && links.push(url)))
    await session.send('Page.enable')
    await page.evaluate(CLICK_MAIL_CODE)
    await page.waitForTimeout(CLICKED_MS)
  } finally {
    await session.detach()
  }
  return links.map((link) => `<a href="${link.replaceAll('"', '%22')}"></a>`).join('')
}
