import type { Frame, Request, Response } from 'playwright'
import { classifyAnswer } from '../answers/classify.ts'
import { failureOfData, retryAfter, type SiteAnswer } from './failure.ts'
import type { MapTab } from './map-tab.ts'
import { isRefusal } from './verdicts.ts'

/** The answers to a page's own requests, in the order of their completion. */
export type PageAnswers = {
  /**
   * The text of the next answer, or undefined when none comes within `timeoutMs`; after an error answer within 3
   * seconds. Throws MapFailed when the answer refuses the exit, or asks for consent.
   */
  next(timeoutMs: number): Promise<string | undefined>
  /** Whether answers are unread, or the page has sent requests without an answer yet. */
  areExpected(): boolean
  /** Whether the last answer was an HTTP error, and the page got no other since. */
  endedInError(): boolean
  /** Drops the unread answers. */
  forget(): void
}

type PageAnswer = SiteAnswer & { readonly url: URL }

/** The first status that means an error. */
const BAD_REQUEST = 400
/** A page that sends a failed request again does so within this time. */
const AGAIN_MS = 3_000

/**
 * Records the answers to a page's requests for matching URLs, from its next navigation on. Call it before the page
 * navigates, or the first answers are lost.
 */
export function listenFor({ page, exit, ended, reads }: MapTab, matches: (url: URL) => boolean): PageAnswers {
  const unread: PageAnswer[] = []
  let unanswered = 0
  let anotherCame = Promise.withResolvers<void>()
  const add = (answer: PageAnswer) => {
    unanswered--
    unread.push(answer)
    anotherCame.resolve()
  }
  let failed = false
  let hasNavigated = false // a reused page still shows its previous URL and may continue to send requests
  const onNavigated = (frame: Frame) => {
    hasNavigated ||= frame === page.mainFrame()
  }
  const onRequest = (request: Request) => {
    if (!hasNavigated || !matches(new URL(request.url()))) return
    unanswered++
    void read(request).then(add)
  }
  page.on('framenavigated', onNavigated)
  page.on('request', onRequest)
  ended.addEventListener('abort', () => {
    page.off('framenavigated', onNavigated)
    page.off('request', onRequest)
  })
  return {
    forget() {
      unread.length = 0
      failed = false
    },
    areExpected: () => unread.length > 0 || unanswered > 0,
    endedInError: () => failed && unread.length === 0,
    async next(timeoutMs) {
      if (unread.length === 0) {
        anotherCame = Promise.withResolvers()
        const timer = setTimeout(anotherCame.resolve, failed ? Math.min(timeoutMs, AGAIN_MS) : timeoutMs)
        await anotherCame.promise
        clearTimeout(timer)
      }
      const next = unread.shift()
      if (!next) return undefined
      const answer = { url: next.url.href, status: next.status, text: next.text }
      reads(answer)
      const failure = failureOfData(next, 'page', next.url, exit)
      if (failure?.fault === 'unknown' && answer.status > 0) exit.sawUnknown(answer) // 0: no answer came
      if (failure && isRefusal(failure.fault)) throw failure
      failed = next.status >= BAD_REQUEST
      return next.text
    },
  }
}

/**
 * Returns the next answer that `parse` reads as a list. Undefined when no more answers come. Throws like
 * `PageAnswers.next`.
 */
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

async function read(request: Request): Promise<PageAnswer> {
  const answer = await request
    .response()
    .then((response) => response && answerOf(response))
    .catch(() => null) // the request failed, or its page is closed
  return { url: new URL(request.url()), ...(answer ?? NO_ANSWER) }
}

const NO_ANSWER: SiteAnswer = { kind: 'broken', status: 0, text: '', retryAfterMs: undefined }

/** Reads an answer. Chromium keeps no body of a redirect, which is known by where it leads, and none that is empty. */
async function answerOf(response: Response): Promise<SiteAnswer> {
  const status = response.status()
  const { location, 'retry-after': wait } = response.headers()
  const isRedirect = location !== undefined && status >= 300 && status < 400
  const url = isRedirect ? new URL(location, response.url()).href : response.url()
  const text = isRedirect ? '' : await response.text().catch(() => '')
  return { kind: classifyAnswer({ url, status, body: text }), status, text, retryAfterMs: retryAfter(wait) }
}
