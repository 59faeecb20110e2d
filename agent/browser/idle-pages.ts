import { canFail, type Logger } from '@placefleet/shared/log'
import type { Page } from 'playwright'
import { within } from './within.ts'

/** The open pages of one context that wait for their next use. */
export type IdlePages = {
  take(): Page | undefined
  /** Stops a page and keeps it for a few seconds. Returns false when the page does not respond. */
  keep(page: Page): Promise<boolean>
}

/** How long a page is kept. */
const IDLE_MS = 5_000
const STOP_MS = 2_000

/** A new page costs a process, while a kept page has compiled the scripts of the site. */
export function createIdlePages(log: Logger): IdlePages {
  const idle = new Map<Page, NodeJS.Timeout>()
  const close = (page: Page) => {
    idle.delete(page)
    void canFail(log, 'closing an idle page', page.close())
  }
  return {
    take() {
      for (const [page, timer] of idle) {
        clearTimeout(timer)
        idle.delete(page)
        if (!page.isClosed()) return page
      }
      return undefined
    },
    async keep(page) {
      try {
        await within(page.evaluate('window.stop()'), STOP_MS)
      } catch (error) {
        log.debug({ err: error }, 'a page cannot be stopped')
        return false
      }
      idle.set(page, setTimeout(close, IDLE_MS, page).unref())
      return true
    },
  }
}
