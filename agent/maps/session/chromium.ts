import { canFail, type Logger } from '@placefleet/shared/log'
import type { CookieJar } from 'tough-cookie'
import {
  type BrowserSession,
  closeOpened,
  type SessionOptions,
  type StorageState,
  type UsePage,
} from '../../browser/session.ts'
import { BrowserFailed } from '../../browser/within.ts'
import type { Verdict } from '../answers/verdicts.ts'
import { shareCookies } from './chromium-cookies.ts'
import { openForCookies } from './cookie-pages.ts'
import { onFrontPage } from './fault.ts'
import { createSharedWork } from './http-session.ts'
import { openMapPage } from './map-page.ts'
import { type MapTab, type OpenedTab, openTab, type TabOptions } from './map-tab.ts'

/** The Chromium part of an identity: one browser session with the map site, opened at its first use. */
type ChromiumIdentity = {
  /**
   * Runs `use` on a tab of the session, and tells the exit the verdict on its result or its error. The session opens a page
   * for its cookies first, which make answers complete.
   */
  withTab<T>(use: UseTab<T>, verdictOn: (result: T) => Verdict, signal: AbortSignal): Promise<T>
  /** Closes the session and keeps its storage for the next one. */
  park(): Promise<void>
}

type UseTab<T> = (tab: MapTab) => Promise<T>

type Settings = Pick<TabOptions, 'exit' | 'onRequest' | 'onExchange'> & {
  readonly base: URL
  readonly language: string
  /** The cookies of the identity, also those of plain HTTP. */
  readonly jar: CookieJar
  readonly log: Logger
  readonly open: (signal: AbortSignal, options: SessionOptions) => Promise<BrowserSession>
}

/** A page that takes longer hangs. Scrolling has a shorter limit. */
const PAGE_MS = 60_000

/** Creates a session that is not open yet. */
export function createChromiumIdentity(settings: Settings): ChromiumIdentity {
  const { log } = settings
  const shared = shareCookies(settings.jar)
  let origins: StorageState['origins'] = []

  const session = createSharedWork(async (signal) => {
    const opened = await settings.open(signal, { storage: { cookies: await shared.forChromium(), origins } })
    try {
      await onFrontPage(() =>
        onTab(
          opened,
          settings,
          (tab) => openCookiePage(tab, settings),
          () => 'doubtful_empty',
          signal,
        ),
      )
      await shared.toJar(opened)
      return opened
    } catch (error) {
      await canFail(log, 'closing a browser session', opened.close())
      throw error
    }
  })
  const drop = () => canFail(log, 'closing a browser session', closeOpened(session.forget()))
  return {
    async withTab(use, verdictOn, signal) {
      const used = await session.get(signal)
      try {
        await shared.toChromium(used)
        const result = await onTab(used, settings, use, verdictOn, signal)
        await shared.toJar(used)
        return result
      } catch (error) {
        if (error instanceof BrowserFailed && error.fault !== 'timeout') await drop()
        throw error
      }
    },
    async park() {
      const opened = await session.forget()?.catch(() => undefined)
      if (!opened) return
      origins = await opened.storage().then(
        (storage) => storage.origins,
        () => origins, // a dead Chromium returns nothing
      )
      await opened.close()
    },
  }
}

// Scripts of the page set cookies while it loads.
async function openCookiePage(tab: MapTab, settings: Settings): Promise<void> {
  await openForCookies(settings, (url) => openMapPage(tab, url))
  await tab.page.waitForLoadState('load')
}

async function onTab<T>(
  session: BrowserSession,
  settings: Settings,
  use: UseTab<T>,
  verdictOn: (result: T) => Verdict,
  signal: AbortSignal,
): Promise<T> {
  let tab: OpenedTab | undefined
  const usePage: UsePage<T> = (page, limit) => {
    tab = openTab(page, { ...settings, limit, signal })
    return use(tab)
  }
  try {
    const result = await session.withPage(usePage, { timeoutMs: PAGE_MS, signal })
    tab?.tell(verdictOn(result))
    return result
  } catch (error) {
    tab?.tellError(error)
    throw error
  }
}
