import type { Frame, Request, Response } from 'playwright'
import { failureOfData, type SiteAnswer, siteAnswer } from './failure.ts'
import type { MapTab } from './map-tab.ts'
import { isRefusal } from './verdicts.ts'

/** The answers to a page's own requests, in the order of their completion. */
export type PageAnswers = ReturnType<typeof listenFor>

type PageAnswer = { readonly sentTo: URL; readonly answer: SiteAnswer }

/** The first status that means an error. */
const BAD_REQUEST = 400
/** A page that sends a failed request again does so within this time. */
const AGAIN_MS = 3_000

/**
 * Records the answers to a page's requests for matching URLs, from its next navigation on. Call it before the page
 * navigates, or the first answers are lost.
 */
export function listenFor({ page, exit, ended, reads }: MapTab, matches: (url: URL) => boolean) {
  const unread: PageAnswer[] = []
  let unanswered = 0
  let failed = false
  let anotherCame = Promise.withResolvers<void>()
  let hasNavigated = false // a reused page still shows its previous URL and may continue to send requests
  const onNavigated = (frame: Frame) => {
    hasNavigated ||= frame === page.mainFrame()
  }
  const onRequest = async (request: Request) => {
    if (!hasNavigated || !matches(new URL(request.url()))) return
    unanswered++
    unread.push(await answerTo(request))
    unanswered--
    anotherCame.resolve()
  }
  page.on('framenavigated', onNavigated)
  page.on('request', onRequest)
  ended.addEventListener('abort', () => {
    page.off('framenavigated', onNavigated)
    page.off('request', onRequest)
  })
  return {
    /** Drops the unread answers. */
    forget(): void {
      unread.length = 0
      failed = false
    },
    /** Whether answers are unread, or the page has sent requests without an answer yet. */
    areExpected: (): boolean => unread.length > 0 || unanswered > 0,
    /** Whether the last answer was an HTTP error, and the page got no other since. */
    endedInError: (): boolean => failed && unread.length === 0,
    /**
     * The text of the next answer, or undefined when none comes within `timeoutMs`; after an error answer within 3
     * seconds. Throws MapFailed when the answer refuses the exit, or asks for consent.
     */
    async next(timeoutMs: number): Promise<string | undefined> {
      if (unread.length === 0) {
        anotherCame = Promise.withResolvers()
        const timer = setTimeout(anotherCame.resolve, failed ? Math.min(timeoutMs, AGAIN_MS) : timeoutMs)
        await anotherCame.promise
        clearTimeout(timer)
      }
      const next = unread.shift()
      if (!next) return undefined
      const { sentTo, answer } = next
      const { status, text } = answer
      reads(answer)
      const failure = failureOfData(answer, 'page', sentTo, exit)
      if (failure?.fault === 'unknown' && status > 0) exit.sawUnknown(answer)
      if (failure && isRefusal(failure.fault)) throw failure
      failed = status >= BAD_REQUEST
      return text
    },
  }
}

/** Returns the next answer that `parse` reads as a list. Throws like `PageAnswers.next`. */
export async function nextList<List extends { state: string }>(
  answers: PageAnswers,
  parse: (text: string) => List,
  timeoutMs: number,
): Promise<List | undefined> {
  for (let text = await answers.next(timeoutMs); text !== undefined; text = await answers.next(timeoutMs)) {
    const list = parse(text)
    if (list.state === 'listed') return list
  }
  return undefined
}

async function answerTo(request: Request): Promise<PageAnswer> {
  const sentTo = new URL(request.url())
  const answer = await request
    .response()
    .then((response) => response && answerOf(response))
    .catch(() => null) // the request failed, or its page is closed
  return { sentTo, answer: answer ?? siteAnswer({ url: sentTo.href, status: 0, text: '' }, undefined) }
}

/** Reads an answer. Chromium keeps no body of a redirect, which is known by where it leads, and none that is empty. */
async function answerOf(response: Response): Promise<SiteAnswer> {
  const status = response.status()
  const { location, 'retry-after': wait } = response.headers()
  const isRedirect = location !== undefined && status >= 300 && status < 400
  const url = isRedirect ? new URL(location, response.url()).href : response.url()
  const text = isRedirect ? '' : await response.text().catch(() => '')
  return siteAnswer({ url, status, text }, wait)
}
