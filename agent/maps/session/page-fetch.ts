import { monotonicNow } from '@placefleet/shared/timing'
import type { Response } from 'playwright'
import { parseBody } from '../answers/body.ts'
import { classifyAnswer } from '../answers/classify.ts'
import type { Exit } from '../exits/exit.ts'
import { failureOfData, retryAfter, type SiteAnswer } from './fault.ts'
import type { MapTab } from './map-tab.ts'

/** Requests data from an open page of the map site. */
export type PageFetch = {
  /**
   * Requests a payload with Chromium's connections, cookies and headers, without the cost of another page, and parses
   * it. Returns undefined when no data arrives, when the page does not belong to the site, and for five minutes after
   * the site declined a request to this path. Throws MapFailed('exit_refused') when the site refuses the exit. If no
   * request to this path was answered since the last refusal, these requests cause the refusals, so none is sent for a
   * day.
   */
  payload(tab: MapTab, url: URL): Promise<unknown>
}

const ANSWER_MS = 15_000
const DECLINED_FOR_MS = 300_000
const REFUSED_FOR_MS = 24 * 3_600_000

/** Creates the page requests of one exit. `now` is the clock in milliseconds. */
export function createPageFetch(exit: Exit, now: () => number = monotonicNow): PageFetch {
  const paths = new Map<string, PathState>()
  const stateOf = ({ pathname }: URL): PathState => {
    const state = paths.get(pathname) ?? { declinedUntil: 0, served: false }
    paths.set(pathname, state)
    return state
  }
  const text = async (tab: MapTab, url: URL) => {
    const state = stateOf(url)
    if (now() < state.declinedUntil || URL.parse(tab.page.url())?.origin !== url.origin) return undefined
    await tab.settled()
    return tab.turn(async () => {
      const answer = await fetchInPage(tab, url)
      if (answer === undefined) return undefined
      tab.reads({ url: url.href, status: answer.status, text: answer.text })
      const failure = failureOfData(answer, 'script', url, exit)
      if (!failure) {
        state.served = true
        return answer.text
      }
      if (failure.fault === 'unknown') tab.reportLast()
      if (failure.fault === 'exit_refused') {
        if (!state.served) state.declinedUntil = now() + REFUSED_FOR_MS
        state.served = false
        throw failure
      }
      if (answer.kind !== 'broken') state.declinedUntil = now() + DECLINED_FOR_MS
      return undefined
    })
  }
  return { payload: async (tab, url) => parseBody((await text(tab, url)) ?? '') }
}

type PathState = { declinedUntil: number; served: boolean }

type InPage = { url: string; status: number; body: string; retryAfter: string | null }

/** Errors of a request whose answer did not reach the page: cut off, late, or the page has navigated. */
const NO_ANSWER = /Failed to fetch|TimeoutError|Execution context was destroyed|frame was detached/

/** Sends the request from the page. Undefined without an answer. */
async function fetchInPage({ page }: MapTab, url: URL): Promise<SiteAnswer | undefined> {
  let leadsTo: string | undefined // Chromium hides from the page where a redirect to another host leads
  const note = (response: Response) => {
    if (response.url() === url.href) leadsTo = response.headers().location
  }
  page.on('response', note)
  try {
    const answer = await page.evaluate<InPage>(`fetch(${JSON.stringify(url.href)}, {
      signal: AbortSignal.timeout(${ANSWER_MS})
    }).then(async (answer) => ({
      url: answer.url, status: answer.status, body: await answer.text(), retryAfter: answer.headers.get('retry-after')
    }))`)
    const { status, body: text, retryAfter: wait } = answer
    return { kind: classifyAnswer(answer), status, text, retryAfterMs: retryAfter(wait ?? undefined) }
  } catch (error) {
    if (!(error instanceof Error) || !NO_ANSWER.test(error.message)) throw error
    const kind = classifyAnswer({ url: leadsTo ?? '', status: 302, body: '' })
    return kind === 'consent' ? { kind, status: 302, text: '', retryAfterMs: undefined } : undefined
  } finally {
    page.off('response', note)
  }
}
