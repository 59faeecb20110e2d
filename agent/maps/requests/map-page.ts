import type { Page, Response } from 'playwright'
import { goTo, htmlOf } from '../../browser/page.ts'
import { parseBody } from '../answers/body.ts'
import { type Answer, type AnswerKind, classifyAnswer } from '../answers/classify.ts'
import { failureOf, failureOfData, MapFailed, type SiteAnswer, siteAnswer } from './failure.ts'
import type { MapTab } from './map-tab.ts'

const GOTO_MS = 30_000
const REJECT_FORM = 'form:has(input[name="set_eom"][value="true"])'
/** Called on the prototype: a field of the form may hide the form's own `submit`. */
const SUBMIT = `HTMLFormElement.prototype.submit.call(document.querySelector('${REJECT_FORM}'))`

// An unmarked page may belong to the site: the page that its scripts draw shows it.
const PAGES: ReadonlySet<AnswerKind> = new Set<AnswerKind>(['page', 'feed', 'place', 'unmarked'])

/**
 * Opens a page of the map site and answers a consent form with "reject". Returns the HTML as the site sent it. Throws
 * MapFailed when the site refuses the exit or sends a foreign page, else the error of Chromium.
 */
export async function openMapPage(tab: MapTab, url: URL): Promise<SiteAnswer> {
  const first = await open(tab, url, 'commit')
  const answer = first.kind === 'consent' ? await throughConsent(tab, url) : first
  if (PAGES.has(answer.kind)) return answer
  const failure = failureOf(answer, { refusesExit: true, scripts: true })
  tab.noteError(failure)
  throw failure
}

async function throughConsent(tab: MapTab, url: URL): Promise<SiteAnswer> {
  const { page } = tab
  await page.waitForLoadState('domcontentloaded', { timeout: GOTO_MS })
  if ((await page.locator(REJECT_FORM).count()) === 0) throw new MapFailed('consent')
  await tab.settled()
  const left = page.waitForEvent('framenavigated', { timeout: GOTO_MS })
  await Promise.all([left, page.evaluate(SUBMIT)])
  await page.waitForLoadState('domcontentloaded', { timeout: GOTO_MS })
  // The form leads back to the page, but scripts have changed its HTML by now, so the page is opened again.
  return open(tab, url, 'domcontentloaded')
}

/** Ten times the largest page of the site. */
const MAX_DRAWN = 10_000_000

export const drawnHtml = (page: Page): Promise<string> => htmlOf(page, MAX_DRAWN)

/** Throws MapFailed when a script has led the page to the captcha or the consent form. */
export function stillServed(page: Page): void {
  const kind = classifyAnswer({ url: page.url(), status: 200, text: '' })
  if (kind === 'blocked') throw new MapFailed('exit_refused')
  if (kind === 'consent') throw new MapFailed('consent')
}

async function open(tab: MapTab, url: URL, waitUntil: 'commit' | 'domcontentloaded'): Promise<SiteAnswer> {
  const response = await tab.turn(url, () => goTo(tab.page, url, { timeout: GOTO_MS, waitUntil }))
  if (!response) throw new MapFailed('unknown')
  const status = response.status()
  const text = await bodyOf(response, status)
  const answer = siteAnswer({ url: response.url(), status, text }, response.headers()['retry-after'])
  tab.reads(answer)
  return answer
}

/** Chromium keeps no body of a redirect, and may keep none of an error. */
async function bodyOf(response: Response, status: number): Promise<string> {
  if (status >= 300 && status < 400) return ''
  return status < 400 ? response.text() : response.text().catch(() => '')
}

const ANSWER_MS = 15_000

/**
 * Requests a payload from an open page of the site, with Chromium's connections, cookies and headers, and without the
 * cost of another page, and parses it. Undefined when no data arrives, for a page of another site, and for an hour
 * after a refusal of the exit, because such requests may be its cause. Throws MapFailed('exit_refused') for a refusal.
 */
export async function payloadInPage(tab: MapTab, url: URL): Promise<unknown> {
  const { memory } = tab.exit
  const endpoint = `${url.pathname} in a page`
  if (memory.isClosed(endpoint) || URL.parse(tab.page.url())?.origin !== url.origin) return undefined
  return tab.turn(url, async () => {
    const answer = await fetchInPage(tab.page, url)
    if (answer === undefined) return undefined
    tab.reads(answer)
    const failure = failureOfData(answer, 'script', url, tab.exit)
    if (!failure) return parseBody(answer.text)
    if (failure.fault === 'exit_refused') {
      memory.close(endpoint)
      throw failure
    }
    if (failure.fault === 'unknown') tab.exit.sawUnknown(answer)
    return undefined
  })
}

type InPage = Answer & { retryAfter: string | null }

/** Errors of a request whose answer did not reach the page: cut off, late, or the page has navigated. */
const NO_ANSWER = /Failed to fetch|TimeoutError|Execution context was destroyed|frame was detached/

/** Sends the request from the page. Undefined without an answer, as after a redirect to another host. */
async function fetchInPage(page: Page, url: URL): Promise<SiteAnswer | undefined> {
  try {
    const { retryAfter, ...answer } = await page.evaluate<InPage>(`fetch(${JSON.stringify(url.href)}, {
      signal: AbortSignal.timeout(${ANSWER_MS})
    }).then(async (answer) => ({
      url: answer.url, status: answer.status, text: await answer.text(), retryAfter: answer.headers.get('retry-after')
    }))`)
    return siteAnswer(answer, retryAfter ?? undefined)
  } catch (error) {
    if (error instanceof Error && NO_ANSWER.test(error.message)) return undefined
    throw error
  }
}
