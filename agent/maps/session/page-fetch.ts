import { monotonicNow } from '@placefleet/shared/timing'
import type { Page } from 'playwright'
import { parseBody } from '../answers/body.ts'
import { classifyAnswer } from '../answers/classify.ts'
import type { Exit } from '../exits/exit.ts'
import { type Answered, failureOfData, retryAfter } from './fault.ts'

/** A request for data, as a page of the site sends it. */
export type PageRequest = {
  readonly url: URL
  /** The body of a POST. Absent for a GET. */
  readonly body?: string
  /** The headers that the page's script adds. Chromium adds all others. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests data from an open page of the map site. */
export type PageFetch = {
  /**
   * Requests data from the site with Chromium's connections, cookies and headers, without the cost of another page.
   * Returns undefined when no data arrives, when the page does not belong to the site, and for five minutes after the
   * site declined a request to this path. Throws MapFailed('exit_refused') when the site refuses the exit. If no request to
   * this path was answered since the last refusal, these requests cause the refusals, so none is sent for a day.
   */
  text(page: Page, request: PageRequest): Promise<string | undefined>
  /** Requests a payload and parses it. */
  payload(page: Page, url: URL): Promise<unknown>
  /** Records that an answer held nothing: the site declined the request. */
  decline(url: URL): void
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
  const decline = (url: URL, forMs = DECLINED_FOR_MS) => {
    stateOf(url).declinedUntil = now() + forMs
  }
  const text = async (page: Page, request: PageRequest) => {
    const { url } = request
    const state = stateOf(url)
    if (now() < state.declinedUntil || URL.parse(page.url())?.origin !== url.origin) return undefined
    const answer = await fetchInPage(page, request)
    if (answer === undefined) return undefined
    const failure = failureOfData(answer, 'script', url, exit)
    if (!failure) {
      state.served = true
      return answer.text
    }
    if (failure.fault === 'exit_refused') {
      if (!state.served) decline(url, REFUSED_FOR_MS)
      state.served = false
      throw failure
    }
    if (answer.kind !== 'broken') decline(url)
    return undefined
  }
  return {
    text,
    payload: async (page, url) => parseBody((await text(page, { url })) ?? ''),
    decline: (url) => decline(url),
  }
}

type PathState = { declinedUntil: number; served: boolean }

type InPage = { url: string; status: number; body: string; retryAfter: string | null }

async function fetchInPage(page: Page, { url, body, headers = {} }: PageRequest): Promise<Answered | undefined> {
  const init = JSON.stringify(body === undefined ? { headers } : { method: 'POST', headers, body })
  try {
    const answer = await page.evaluate<InPage>(`fetch(${JSON.stringify(url.href)}, {
      ...${init}, signal: AbortSignal.timeout(${ANSWER_MS})
    }).then(async (answer) => ({
      url: answer.url, status: answer.status, body: await answer.text(), retryAfter: answer.headers.get('retry-after')
    }))`)
    const { status, body: text, retryAfter: wait } = answer
    return { kind: classifyAnswer(answer), status, text, retryAfterMs: retryAfter(wait ?? undefined) }
  } catch {
    return undefined // cut off, late, redirected to another host, or the page has navigated
  }
}
