import { monotonicNow } from '@placefleet/shared/timing'
import type { Page, Response } from 'playwright'
import type { TimeLimit } from '../../browser/within.ts'
import type { Unread } from '../answers/unknown.ts'
import type { Verdict } from '../answers/verdicts.ts'
import type { Exit } from '../exits/exit.ts'
import { doorOf } from '../urls/door.ts'
import { chromiumExchange, type OnExchange } from './exchange.ts'
import { MapFailed, verdictIn } from './fault.ts'

/**
 * A page of Chromium at the map site. Each of its requests takes one turn of the exit: those of the agent before they are
 * sent, and those of the page's own scripts afterwards, before the agent does the next thing.
 */
export type MapTab = {
  readonly page: Page
  readonly exit: Exit
  /** Waits for the exit's turn and sends one request. Throws like `Exit.request`. */
  turn<T>(send: () => Promise<T>): Promise<T>
  /** Waits for the turns of the requests that the page has sent by itself. Throws ExitRests, or the abort reason. */
  settled(): Promise<void>
  /** Remembers the answer that was read last. */
  reads(answer: Unread): void
  /** Reports the answer that was read last, once, because nobody knows what it means. */
  reportLast(): void
}

/** A tab, and what its user tells the exit at the end. */
export type OpenedTab = MapTab & {
  /** Tells the exit the verdict on what the tab brought. */
  tell(verdict: Verdict): void
  /** Tells the exit of an error, unless the tab has done so, or has run out of its time. */
  tellError(error: unknown): void
}

export type TabOptions = {
  readonly exit: Exit
  readonly base: URL
  readonly limit: TimeLimit
  readonly signal: AbortSignal
  /** Called for each request of the page. */
  readonly onRequest: () => void
  readonly onExchange?: OnExchange | undefined
}

/** Starts to count the requests of a page. While it waits for turns, its time limit stands still. */
export function openTab(page: Page, { exit, base, limit, signal, onRequest, onExchange }: TabOptions): OpenedTab {
  let lastTurnAt = monotonicNow()
  let lastError: unknown
  let lastRead: Unread | undefined
  const reportLast = () => {
    if (lastRead && lastRead.status > 0) exit.sawUnknown(lastRead) // 0: no answer came
    lastRead = undefined
  }
  /** Turns that were taken for requests without an answer so far. */
  let paid = 0
  let debts: Promise<unknown> = Promise.resolve()
  page.on('response', (response) => {
    if (!takesTurn(response, base)) return
    onRequest()
    onExchange?.(chromiumExchange(response))
    if (paid > 0) return void paid--
    debts = Promise.all([debts, exit.request(signal, async () => undefined, unjudged)])
    debts.catch(() => undefined) // `settled` throws it
  })
  const tellError = (error: unknown) => {
    const judged = error === lastError || signal.aborted || limit.isOver() ? undefined : verdictIn(error)
    lastError = error
    if (!judged) return
    exit.noteAnswer(judged, lastTurnAt, doorOf(page.url()))
    if (isUnknown(error)) reportLast()
  }
  return {
    page,
    exit,
    async turn(send) {
      const goOn = limit.pause()
      const work = async () => {
        goOn()
        paid++
        lastTurnAt = monotonicNow()
        return send().catch((error) => {
          tellError(error)
          return new Failed(error)
        })
      }
      try {
        const result = await exit.request(signal, work, unjudged)
        if (result instanceof Failed) throw result.error
        return result
      } finally {
        goOn()
      }
    },
    async settled() {
      const goOn = limit.pause()
      try {
        await debts
      } finally {
        goOn()
      }
    },
    reads(answer) {
      lastRead = answer
    },
    reportLast,
    tell: (verdict) => exit.noteAnswer({ verdict }, lastTurnAt, doorOf(page.url())),
    tellError,
  }
}

/** An error whose verdict the exit has learned. */
class Failed {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

const unjudged = () => undefined

/** Whether an error says that nobody knows the answer, and not that Chromium failed to read it. */
const isUnknown = (error: unknown): boolean =>
  error instanceof MapFailed && error.fault === 'unknown' && error.cause === undefined

/** By scripts, and by a page's own order to load data ahead of them, which is `other`. */
const OF_DATA: ReadonlySet<string> = new Set(['xhr', 'fetch', 'other'])

/** Whether an answer is a page, or data of the site. Scripts and images come from elsewhere, and count nowhere. */
function takesTurn(response: Response, base: URL): boolean {
  const request = response.request()
  const type = request.resourceType()
  return type === 'document' || (OF_DATA.has(type) && URL.parse(request.url())?.origin === base.origin)
}
