import type { Page } from 'playwright'
import { parseBody } from '../answers/body.ts'
import { type Answer, addressInRefusal, classifyAnswer } from '../answers/classify.ts'
import { MapFailed } from './fault.ts'

/** Requests payloads from an open page of the map site. */
export type PageFetch = {
  /**
   * Requests a payload from the site with Chromium's connections, cookies and headers, without the cost of another
   * page. Returns undefined when no payload arrives, when the page does not belong to the site, and for five minutes
   * after the site declined such a request. Throws MapFailed('blocked') when the site refuses the exit. If no such
   * request was answered since the last refusal, these requests cause the refusals, so none is sent for a day.
   */
  payload(page: Page, url: URL): Promise<unknown>
}

const ANSWER_MS = 15_000
const DECLINED_FOR_MS = 300_000
const REFUSED_FOR_MS = 24 * 3_600_000

/** Creates the page requests of one exit. `now` is the clock in milliseconds. */
export function createPageFetch(now: () => number = Date.now): PageFetch {
  let declinedUntil = 0
  let served = false
  return {
    async payload(page, url) {
      if (now() < declinedUntil || URL.parse(page.url())?.origin !== url.origin) return undefined
      const answer = await fetchInPage(page, url)
      if (answer === undefined) return undefined
      const kind = classifyAnswer(answer)
      if (kind === 'payload') {
        served = true
        return parseBody(answer.body)
      }
      if (kind === 'blocked') {
        if (!served) declinedUntil = now() + REFUSED_FOR_MS
        served = false
        throw new MapFailed(kind, undefined, { address: addressInRefusal(answer.body) })
      }
      if (kind !== 'broken') declinedUntil = now() + DECLINED_FOR_MS
      return undefined
    },
  }
}

async function fetchInPage(page: Page, url: URL): Promise<Answer | undefined> {
  try {
    return await page.evaluate<Answer>(`fetch(${JSON.stringify(url.href)}, { signal: AbortSignal.timeout(${ANSWER_MS}) })
      .then(async (answer) => ({ url: answer.url, status: answer.status, body: await answer.text() }))`)
  } catch {
    return undefined // cut off, late, redirected to another host, or the page has navigated
  }
}
