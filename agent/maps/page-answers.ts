import type { Page, Response } from 'playwright'

/** The answers that a page gets to its own requests, in the order in which they are complete. */
export type PageAnswers = {
  /** The next one's text, or undefined when none comes within `timeoutMs`. */
  next(timeoutMs: number): Promise<string | undefined>
}

/** Keeps the answers of requests to such addresses from now on. Begin before the page is opened, or the first are lost. */
export function listenFor(page: Page, isWanted: (url: URL) => boolean): PageAnswers {
  const kept: string[] = []
  let arrived = Promise.withResolvers<void>()
  const keep = (text: string) => {
    kept.push(text)
    arrived.resolve()
  }
  page.on('response', (response) => {
    if (response.ok() && isWanted(new URL(response.url()))) void textOf(response).then(keep)
  })
  return {
    async next(timeoutMs) {
      if (kept.length === 0) {
        arrived = Promise.withResolvers()
        const timer = setTimeout(arrived.resolve, timeoutMs)
        await arrived.promise
        clearTimeout(timer)
      }
      return kept.shift()
    },
  }
}

// An answer of a page that is gone has no body to read any more: as good as none.
function textOf(response: Response): Promise<string> {
  return response.text().catch(() => '')
}
