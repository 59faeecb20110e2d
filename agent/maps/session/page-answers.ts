import type { Page, Request } from 'playwright'
import { MapFailed } from './fault.ts'

/** The answers that a page gets to its own requests, in the order in which they are complete. */
export type PageAnswers = {
  /**
   * The next one's text, or undefined when none comes within `timeoutMs`. Throws MapFailed('blocked') when it is the
   * refusal of an address that asks too much.
   */
  next(timeoutMs: number): Promise<string | undefined>
  /** Drops those that have come and nobody has asked for. */
  forget(): void
}

type PageAnswer = { readonly status: number; readonly text: string }

const TOO_MANY_REQUESTS = 429

/**
 * Keeps the answers of requests to such addresses that the page makes where it goes next. Begin before it is sent
 * there, or the first are lost.
 */
export function listenFor(page: Page, isWanted: (url: URL) => boolean): PageAnswers {
  const kept: PageAnswer[] = []
  let arrived = Promise.withResolvers<void>()
  const keep = (answer: PageAnswer) => {
    kept.push(answer)
    arrived.resolve()
  }
  let hasLeft = false // the page it shows until then may be that of another visit, and goes on asking
  page.on('framenavigated', (frame) => {
    hasLeft ||= frame === page.mainFrame()
  })
  page.on('request', (request) => {
    if (hasLeft && isWanted(new URL(request.url()))) void read(request).then(keep)
  })
  return {
    forget() {
      kept.length = 0
    },
    async next(timeoutMs) {
      if (kept.length === 0) {
        arrived = Promise.withResolvers()
        const timer = setTimeout(arrived.resolve, timeoutMs)
        await arrived.promise
        clearTimeout(timer)
      }
      const next = kept.shift()
      if (next?.status === TOO_MANY_REQUESTS) throw new MapFailed('blocked')
      return next?.text
    },
  }
}

/** The next answer that is a list, read by `parse`; undefined when no more answers come. Throws as `PageAnswers.next`. */
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

// A request that fails, or whose page is gone, has no answer to read: as good as an empty one.
async function read(request: Request): Promise<PageAnswer> {
  try {
    const response = await request.response()
    return { status: response?.status() ?? 0, text: (await response?.text()) ?? '' }
  } catch {
    return { status: 0, text: '' }
  }
}
