import { monotonicNow } from '@placefleet/shared/timing'
import type { Page, Request, Response } from 'playwright'
import type { TimeLimit } from '../../browser/within.ts'
import type { UnreadAnswer } from '../answers/unknown.ts'
import { doorOf } from '../urls/door.ts'
import { chromiumExchange, type OnExchange } from './exchange.ts'
import type { Exit } from './exit.ts'
import { MapFailed, verdictIn } from './failure.ts'
import type { Verdict } from './verdicts.ts'

/**
 * A page of Chromium at the map site. Each of its requests takes one turn of the exit: those of the agent before they
 * are sent, and those of the page's own scripts afterwards, before the agent does the next thing.
 */
export type MapTab = {
  readonly page: Page
  readonly exit: Exit
  /** Aborted when the work on the page has ended. The page is used again, so listeners must leave it then. */
  readonly ended: AbortSignal
  /** Waits for the exit's turn and sends one request for this URL. Throws like `Exit.request`. */
  turn<T>(url: URL, send: () => Promise<T>): Promise<T>
  /** Waits for the turns of the requests that the page has sent by itself. Throws ExitRests, or the abort reason. */
  settled(): Promise<void>
  /** Remembers the answer that was read last: it is reported when the work on the page ends in an unknown fault. */
  reads(answer: UnreadAnswer): void
  /** Tells the exit of an error, unless it knows it, or the time of the page is over. */
  noteError(error: unknown): void
}

/** A tab, and what its browser does when the work on it has ended. */
export type TabHandle = MapTab & {
  /** Tells the exit the verdict on the result of the work. */
  note(verdict: Verdict): void
  /** Takes all listeners off the page. */
  leave(): void
  /** Queues the turns of requests that had none so far. */
  settleLater(): void
}

export type TabSettings = {
  readonly exit: Exit
  readonly base: URL
  /** Called for each request of the page. */
  readonly countRequest: () => void
  readonly onExchange?: OnExchange | undefined
}

/** Opens a tab on a page. While it waits for turns, its time limit stands still. */
export function openTab(
  page: Page,
  { exit, base, countRequest, onExchange }: TabSettings,
  limit: TimeLimit,
  signal: AbortSignal,
): TabHandle {
  const ending = AbortSignal.any([signal, limit.signal])
  let own: string | undefined
  let unpaced = 0
  let lastTurnAt = monotonicNow()
  let lastError: unknown
  let lastRead: UnreadAnswer | undefined

  const over = new AbortController()
  const onResponse = (response: Response) => {
    if (!isCounted(response, base)) return
    countRequest()
    onExchange?.(chromiumExchange(response))
    if (isFirst(response.request(), own)) own = undefined
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
  const settled = async () => {
    for (; unpaced > 0; unpaced--) await inTurn(nothing)
  }
  return {
    page,
    exit,
    ended: over.signal,
    settled,
    async turn(url, send) {
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
    leave: () => over.abort(),
    settleLater() {
      for (; unpaced > 0; unpaced--) exit.request(signal, nothing, () => undefined).catch(() => undefined)
    },
    reads(answer) {
      lastRead = answer
    },
    note: (verdict) => exit.noteAnswer({ verdict }, lastTurnAt, doorOf(page.url())),
    noteError(error) {
      const judged = error === lastError || ending.aborted ? undefined : verdictIn(error)
      lastError = error
      if (!judged) return
      exit.noteAnswer(judged, lastTurnAt, doorOf(page.url()))
      if (isUnknown(error) && lastRead && lastRead.status > 0) exit.sawUnknown(lastRead) // 0: no answer came
    },
  }
}

const nothing = async (): Promise<void> => undefined

/** Whether this is the request that the agent sent, and not one that it was redirected to. */
const isFirst = (request: Request, own: string | undefined): boolean =>
  request.redirectedFrom() === null && request.url() === own

/** Whether an error says that the answer is unrecognised, and not that Chromium failed to read it. */
const isUnknown = (error: unknown): boolean =>
  error instanceof MapFailed && error.fault === 'unknown' && error.cause === undefined

/** By scripts, and by a page's own order to load data ahead of them, which is `other`. */
const OF_DATA: ReadonlySet<string> = new Set(['xhr', 'fetch', 'other'])

/** Whether an answer is a page, or data of the site. Scripts and images come from elsewhere, and count nowhere. */
function isCounted(response: Response, base: URL): boolean {
  const request = response.request()
  const type = request.resourceType()
  return type === 'document' || (OF_DATA.has(type) && URL.parse(request.url())?.origin === base.origin)
}
