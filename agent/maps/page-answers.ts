import type { Page, Response } from 'playwright'
import { MapFailed } from './map-failed.ts'

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

type Kept = { readonly status: number; readonly text: string }

const TOO_MANY_REQUESTS = 429

/** Keeps the answers of requests to such addresses from now on. Begin before the page is opened, or the first are lost. */
export function listenFor(page: Page, isWanted: (url: URL) => boolean): PageAnswers {
  const kept: Kept[] = []
  let arrived = Promise.withResolvers<void>()
  const keep = (answer: Kept) => {
    kept.push(answer)
    arrived.resolve()
  }
  page.on('response', (response) => {
    if (isWanted(new URL(response.url()))) void read(response).then(keep)
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

// An answer of a page that is gone has no body to read any more: as good as none.
async function read(response: Response): Promise<Kept> {
  const text = await response.text().catch(() => '')
  return { status: response.status(), text }
}
