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
import { cookiesForChromium, cookiesToJar } from './cookies.ts'
import { onArrival, openForCookies } from './front-page.ts'
import { openMapPage } from './map-page.ts'
import { type MapTab, openTab, type TabSettings } from './map-tab.ts'
import { createSharedWork } from './shared-work.ts'
import type { Verdict } from './verdicts.ts'

type Settings = TabSettings & {
  /** The cookies of the identity, also those of plain HTTP. */
  readonly jar: CookieJar
  readonly log: Logger
  readonly open: (signal: AbortSignal, options: SessionOptions) => Promise<BrowserSession>
}

/** A page that takes longer hangs. Scrolling has a shorter limit. */
const PAGE_MS = 60_000

/** Creates the Chromium of an identity: one browser session with the map site, opened at its first use. */
export function createMapBrowser(settings: Settings) {
  const { jar, log } = settings
  let origins: StorageState['origins'] = []

  const session = createSharedWork(async (signal) => {
    const opened = await settings.open(signal, { storage: { cookies: await cookiesForChromium(jar), origins } })
    try {
      await onArrival(onTab(opened, settings, openCookiePage, () => 'doubtful_empty', signal))
      await cookiesToJar(opened, jar)
      return opened
    } catch (error) {
      await canFail(log, 'closing a browser session', opened.close())
      throw error
    }
  })
  const openCookiePage = async (tab: MapTab): Promise<void> => {
    await openForCookies(settings, (url) => openMapPage(tab, url))
    await tab.page.waitForLoadState('load') // scripts of the page set cookies while it loads
  }
  return {
    /**
     * Runs `use` on a page; see BrowserSession.withPage. The exit learns the verdict of `verdictOn` on its result, or
     * of its error. A new session opens a page for its cookies first, which make answers complete.
     */
    async withTab<T>(
      use: (tab: MapTab) => Promise<T>,
      verdictOn: (result: T) => Verdict,
      signal: AbortSignal,
    ): Promise<T> {
      const opened = await session.get(signal)
      try {
        await opened.addCookies(await cookiesForChromium(jar))
        const result = await onTab(opened, settings, use, verdictOn, signal)
        await cookiesToJar(opened, jar)
        return result
      } catch (error) {
        const isDead = error instanceof BrowserFailed && error.fault !== 'timeout'
        if (isDead) await canFail(log, 'closing a browser session', closeOpened(session.forget()))
        throw error
      }
    },
    /** Closes the session and keeps its storage for the next one. */
    async park(): Promise<void> {
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

async function onTab<T>(
  session: BrowserSession,
  settings: TabSettings,
  use: (tab: MapTab) => Promise<T>,
  verdictOn: (result: T) => Verdict,
  signal: AbortSignal,
): Promise<T> {
  let tab: MapTab | undefined
  const usePage: UsePage<T> = async (page, limit) => {
    tab = openTab(page, settings, limit, signal)
    try {
      return await use(tab)
    } finally {
      tab.leave()
    }
  }
  try {
    const result = await session.withPage(usePage, { timeoutMs: PAGE_MS, signal })
    tab?.note(verdictOn(result))
    return result
  } catch (error) {
    tab?.noteError(error)
    throw error
  } finally {
    tab?.settleLater()
  }
}
