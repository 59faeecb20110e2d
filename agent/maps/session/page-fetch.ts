import type { Page } from 'playwright'
import { parseBody } from '../answers/body.ts'
import { type Answer, classifyAnswer } from '../answers/classify.ts'

/** Asks the map site for payloads from pages of it that are open. */
export type PageAsking = {
  /**
   * The payload at an address of the site: asked for with the connections, cookies and headers of Chromium, and without the
   * cost of another page. Undefined when none came, when the page is not of the site, and for a while after the site
   * has refused such a question; whoever then opens a page learns why.
   */
  payload(page: Page, url: URL): Promise<unknown>
}

const ANSWER_MS = 15_000
/** The site may relax. */
const REFUSED_FOR_MS = 300_000

/** Has not been refused yet; `now` is the clock in milliseconds. */
export function createPageAsking(now: () => number = Date.now): PageAsking {
  let refusedUntil = 0
  return {
    async payload(page, url) {
      if (now() < refusedUntil || URL.parse(page.url())?.origin !== url.origin) return undefined
      const answer = await fetchInPage(page, url)
      if (answer === undefined) return undefined
      const kind = classifyAnswer(answer)
      if (kind === 'payload') return parseBody(answer.body)
      if (kind !== 'broken') refusedUntil = now() + REFUSED_FOR_MS
      return undefined
    },
  }
}

async function fetchInPage(page: Page, url: URL): Promise<Answer | undefined> {
  try {
    return await page.evaluate<Answer>(`fetch(${JSON.stringify(url.href)}, { signal: AbortSignal.timeout(${ANSWER_MS}) })
      .then(async (answer) => ({ url: answer.url, status: answer.status, body: await answer.text() }))`)
  } catch {
    return undefined // cut off, late, led to another host, or the page has left
  }
}
