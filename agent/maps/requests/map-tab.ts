import { monotonicNow } from '@placefleet/shared/timing'
import type { Page, Response } from 'playwright'
import type { TimeLimit } from '../../browser/within.ts'
import type { Answer } from '../answers/classify.ts'
import { doorOf } from '../urls/door.ts'
import type { Locale } from '../urls/parameters.ts'
import { chromiumExchange, type OnExchange } from './exchange.ts'
import type { Exit } from './exit.ts'
import { MapFailed, verdictIn } from './failure.ts'
import type { Verdict } from './verdicts.ts'

export type TabSettings = {
  readonly exit: Exit
  readonly base: URL
  readonly locale: Locale
  readonly countRequest: () => void
  readonly onExchange?: OnExchange | undefined
}

/**
 * A page of Chromium at the map site. Each of its requests takes one turn of the exit: those of the agent before they
 * are sent, and those of the page's own scripts afterwards, before the agent does the next thing.
 */
export type MapTab = ReturnType<typeof openTab>

/** Opens a tab on a page. While it waits for turns, its time limit stands still. */
export function openTab(
  page: Page,
  { exit, base, locale, countRequest, onExchange }: TabSettings,
  limit: TimeLimit,
  signal: AbortSignal,
) {
  const ending = AbortSignal.any([signal, limit.signal])
  const over = new AbortController()
  let own: string | undefined
  let unpaced = 0
  let lastTurnAt = monotonicNow()
  let lastError: unknown
  let lastRead: Answer | undefined

  const onResponse = (response: Response) => {
    if (!isCounted(response, base)) return
    countRequest()
    onExchange?.(chromiumExchange(response))
    const request = response.request()
    const isOwn = request.redirectedFrom() === null && request.url() === own
    if (isOwn) own = undefined
    else unpaced++
  }
  page.on('response', onResponse)
  over.signal.addEventListener('abort', () => page.off('response', onResponse))
  const inTurn = async <T>(send: () => Promise<T>, url?: URL): Promise<T> => {
    const goOn = limit.pause()
    const work = () => {
      goOn()
      return send()
    }
    try {
      return await exit.request(ending, work, () => undefined, url && doorOf(url))
    } finally {
      goOn()
    }
  }
  /** Waits for the turns of the requests that the page has sent by itself. Throws ExitRests, or the abort reason. */
  const settled = async (): Promise<void> => {
    for (; unpaced > 0; unpaced--) await inTurn(nothing)
  }
  return {
    page,
    exit,
    base,
    locale,
    /** Aborted when the work on the page has ended. The page is used again, so listeners must leave it then. */
    ended: over.signal,
    settled,
    /** Waits for the exit's turn and sends one request for this URL. Throws like `Exit.request`. */
    async turn<T>(url: URL, send: () => Promise<T>): Promise<T> {
      await settled()
      try {
        return await inTurn(() => {
          lastTurnAt = monotonicNow()
          own = url.href
          return send()
        }, url)
      } catch (error) {
        lastError = error // the exit knows its verdict
        throw error
      }
    },
    leave: (): void => over.abort(),
    /** Queues the turns of requests that had none so far. */
    settleLater(): void {
      for (; unpaced > 0; unpaced--) exit.request(signal, nothing, () => undefined).catch(() => undefined)
    },
    /** Remembers the answer that was read last: it is reported when the work on the page ends in an unknown fault. */
    reads(answer: Answer): void {
      lastRead = answer
    },
    /** Tells the exit the verdict on the result of the work. */
    note: (verdict: Verdict): void => exit.noteAnswer({ verdict }, lastTurnAt, doorOf(page.url())),
    /** Tells the exit of an error, unless it knows it, or the time of the page is over. */
    noteError(error: unknown): void {
      const judged = error === lastError || ending.aborted ? undefined : verdictIn(error)
      lastError = error
      if (!judged) return
      exit.noteAnswer(judged, lastTurnAt, doorOf(page.url()))
      // With a cause, Chromium failed to read the answer. With the status 0 no answer came.
      const isUnknown = error instanceof MapFailed && error.fault === 'unknown' && error.cause === undefined
      if (isUnknown && lastRead && lastRead.status > 0) exit.sawUnknown(lastRead)
    },
  }
}

const nothing = async (): Promise<void> => undefined

/** By scripts, and by a page's own order to load data ahead of them, which is `other`. */
const OF_DATA: ReadonlySet<string> = new Set(['xhr', 'fetch', 'other'])

/** Whether an answer is a page, or data of the site. Scripts and images come from elsewhere, and count nowhere. */
function isCounted(response: Response, base: URL): boolean {
  const request = response.request()
  const type = request.resourceType()
  return type === 'document' || (OF_DATA.has(type) && URL.parse(request.url())?.origin === base.origin)
}
