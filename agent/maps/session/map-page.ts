import type { Page, Response } from 'playwright'
import { type AnswerKind, classifyAnswer } from '../answers/classify.ts'
import { MapFailed } from './fault.ts'

/** A page of the map site in Chromium: the HTML as it was sent, before scripts drew on it. */
export type MapPage = { readonly kind: AnswerKind; readonly html: string }

const GOTO_MS = 30_000
const REJECT_FORM = 'form:has(input[name="set_eom"][value="true"])'
/** A field of a form may hide the form's own `submit`. */
const SUBMIT = `HTMLFormElement.prototype.submit.call(document.querySelector('${REJECT_FORM}'))`

/**
 * Opens a page of the map site, answering a consent form with "reject". Throws MapFailed when the site refuses this
 * session or gives no page of its own; what Chromium throws is thrown on.
 */
export async function openMapPage(page: Page, url: URL): Promise<MapPage> {
  const first = await arrived(page, await page.goto(url.href, { timeout: GOTO_MS, waitUntil: 'commit' }))
  const answer = first.kind === 'consent' ? await throughConsent(page, url) : first
  if (answer.kind === 'page' || answer.kind === 'feed' || answer.kind === 'place') return answer
  throw new MapFailed(faultOf(answer))
}

async function throughConsent(page: Page, url: URL): Promise<Answered> {
  await page.waitForLoadState('domcontentloaded', { timeout: GOTO_MS })
  if ((await page.locator(REJECT_FORM).count()) === 0) throw new MapFailed('consent')
  const left = page.waitForEvent('framenavigated', { timeout: GOTO_MS })
  await Promise.all([left, page.evaluate(SUBMIT)])
  await page.waitForLoadState('domcontentloaded', { timeout: GOTO_MS })
  // The form leads back to the page, but its answer is drawn over by now; what was sent is wanted.
  return arrived(page, await page.goto(url.href, { timeout: GOTO_MS, waitUntil: 'domcontentloaded' }))
}

/** Throws MapFailed when the page's own script has led it to the captcha or the consent form meanwhile. */
export function stillServed(page: Page): void {
  const kind = classifyAnswer({ url: page.url(), status: 200, body: '' })
  if (kind === 'blocked' || kind === 'consent') throw new MapFailed(kind)
}

type Answered = MapPage & { readonly status: number }

async function arrived(page: Page, response: Response | null): Promise<Answered> {
  if (!response) throw new MapFailed('broken')
  const status = response.status()
  const html = status >= 300 && status < 400 ? '' : await response.text()
  return { kind: classifyAnswer({ url: page.url(), status, body: html }), html, status }
}

function faultOf({ kind, status }: Answered): MapFailed['fault'] {
  if (kind === 'blocked' || kind === 'refused') return 'blocked'
  if (kind === 'consent' || kind === 'not_found') return kind
  if (status >= 590 && status <= 599) return 'proxy' // the egress proxy speaks for the user's proxy with these
  return status >= 500 ? 'unavailable' : 'broken'
}
