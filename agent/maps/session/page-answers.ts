import type { Page, Request } from 'playwright'
import { MapFailed } from './fault.ts'

/** The answers to a page's own requests, in the order of their completion. */
export type PageAnswers = {
  /**
   * The text of the next answer, or undefined when none comes within `timeoutMs`; after an error answer within 3
   * seconds. Throws MapFailed('blocked') on a 429.
   */
  next(timeoutMs: number): Promise<string | undefined>
  /** Whether the last answer was an HTTP error, and the page got no other since. */
  endedInError(): boolean
  /** Drops the unread answers. */
  forget(): void
}

type PageAnswer = { readonly status: number; readonly text: string }

const TOO_MANY_REQUESTS = 429
/** The first status that means an error. */
const BAD_REQUEST = 400
/** A page that sends a failed request again does so within this time. */
const AGAIN_MS = 3_000

/**
 * Records the answers to a page's requests for matching URLs, from its next navigation on. Call it before the page
 * navigates, or the first answers are lost.
 */
export function listenFor(page: Page, isWanted: (url: URL) => boolean): PageAnswers {
  const unread: PageAnswer[] = []
  let arrived = Promise.withResolvers<void>()
  const add = (answer: PageAnswer) => {
    unread.push(answer)
    arrived.resolve()
  }
  let failed = false
  let hasNavigated = false // a reused page still shows its previous URL and may continue to send requests
  page.on('framenavigated', (frame) => {
    hasNavigated ||= frame === page.mainFrame()
  })
  page.on('request', (request) => {
    if (hasNavigated && isWanted(new URL(request.url()))) void read(request).then(add)
  })
  return {
    forget() {
      unread.length = 0
      failed = false
    },
    endedInError: () => failed && unread.length === 0,
    async next(timeoutMs) {
      if (unread.length === 0) {
        arrived = Promise.withResolvers()
        const timer = setTimeout(arrived.resolve, failed ? Math.min(timeoutMs, AGAIN_MS) : timeoutMs)
        await arrived.promise
        clearTimeout(timer)
      }
      const next = unread.shift()
      if (next?.status === TOO_MANY_REQUESTS) throw new MapFailed('blocked')
      if (next) failed = next.status >= BAD_REQUEST
      return next?.text
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

// A failed request, or one whose page is closed, counts as an empty answer.
async function read(request: Request): Promise<PageAnswer> {
  try {
    const response = await request.response()
    return { status: response?.status() ?? 0, text: (await response?.text()) ?? '' }
  } catch {
    return { status: 0, text: '' }
  }
}
