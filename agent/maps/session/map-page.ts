import type { Page, Response } from 'playwright'
import { goTo, htmlOf } from '../../browser/page.ts'
import { type AnswerKind, classifyAnswer } from '../answers/classify.ts'
import { failureOf, MapFailed, retryAfter } from './fault.ts'
import type { MapTab } from './map-tab.ts'

/** A page of the map site in Chromium: its HTML as the site sent it, before scripts changed it. */
type MapPage = { readonly kind: AnswerKind; readonly html: string }

const GOTO_MS = 30_000
const REJECT_FORM = 'form:has(input[name="set_eom"][value="true"])'
/** Called on the prototype: a field of the form may hide the form's own `submit`. */
const SUBMIT = `HTMLFormElement.prototype.submit.call(document.querySelector('${REJECT_FORM}'))`

// An unmarked page may belong to the site: the page that its scripts draw shows it.
const PAGES: ReadonlySet<AnswerKind> = new Set<AnswerKind>(['page', 'feed', 'place', 'unmarked'])

/**
 * Opens a page of the map site and answers a consent form with "reject". Throws MapFailed when the site refuses the
 * exit or sends a foreign page, else the error of Chromium.
 */
export async function openMapPage(tab: MapTab, url: URL): Promise<MapPage> {
  const first = await open(tab, url, 'commit')
  const answer = first.kind === 'consent' ? await throughConsent(tab, url) : first
  if (PAGES.has(answer.kind)) return answer
  const failure = failureOf({ ...answer, text: answer.html }, { refusesExit: true, scripts: true })
  if (failure.fault === 'unknown') tab.reportLast()
  throw failure
}

async function throughConsent(tab: MapTab, url: URL): Promise<SiteAnswer> {
  const { page } = tab
  await page.waitForLoadState('domcontentloaded', { timeout: GOTO_MS })
  if ((await page.locator(REJECT_FORM).count()) === 0) throw new MapFailed('consent')
  await tab.turn(async () => {
    const left = page.waitForEvent('framenavigated', { timeout: GOTO_MS })
    await Promise.all([left, page.evaluate(SUBMIT)])
  })
  await page.waitForLoadState('domcontentloaded', { timeout: GOTO_MS })
  // The form leads back to the page, but scripts have changed its HTML by now, so the page is opened again.
  return open(tab, url, 'domcontentloaded')
}

/** Ten times the largest page of the site. */
const MAX_DRAWN = 10_000_000

/** Returns the HTML of a page of the map site as its scripts have drawn it. */
export const drawnHtml = (page: Page): Promise<string> => htmlOf(page, MAX_DRAWN)

/** Throws MapFailed when a script has led the page to the captcha or the consent form. */
export function stillServed(page: Page): void {
  const kind = classifyAnswer({ url: page.url(), status: 200, body: '' })
  if (kind === 'blocked') throw new MapFailed('exit_refused')
  if (kind === 'consent') throw new MapFailed('consent')
}

type SiteAnswer = MapPage & { readonly status: number; readonly retryAfterMs: number | undefined }

async function open(tab: MapTab, url: URL, waitUntil: 'commit' | 'domcontentloaded'): Promise<SiteAnswer> {
  await tab.settled()
  const response = await tab.turn(() => goTo(tab.page, url, { timeout: GOTO_MS, waitUntil }))
  if (!response) throw new MapFailed('unknown')
  const status = response.status()
  const html = await bodyOf(response, status)
  const retryAfterMs = retryAfter(response.headers()['retry-after'])
  tab.reads({ url: response.url(), status, text: html })
  return { kind: classifyAnswer({ url: response.url(), status, body: html }), html, status, retryAfterMs }
}

/** Chromium keeps no body of a redirect, and may keep none of an error. */
async function bodyOf(response: Response, status: number): Promise<string> {
  if (status >= 300 && status < 400) return ''
  return status < 400 ? response.text() : response.text().catch(() => '')
}
