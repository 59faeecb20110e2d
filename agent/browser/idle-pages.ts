import { canFail, type Logger } from '@placefleet/shared/log'
import type { Page } from 'playwright'
import { within } from './within.ts'

/** The open pages of one context that wait for their next visit. */
export type IdlePages = {
  take(): Page | undefined
  /** Keeps a page for a few seconds, stopped where it is. False if it does not listen any more. */
  keep(page: Page): Promise<boolean>
}

const HEARD_BY_VISITS = ['request', 'framenavigated']
/** A session that has moved on, or waits for other work, holds no pages longer than this. */
const IDLE_MS = 5_000
const STOP_MS = 2_000

/**
 * Keeps none yet. A new page costs a process; one that is used again has the site's scripts compiled. It is not emptied in
 * between, which would cost as much as a visit: the next visit's first address does that.
 */
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
      for (const event of HEARD_BY_VISITS) page.removeAllListeners(event)
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
