import { canFail, type Logger } from '@placefleet/shared/log'
import { Cookie, type CookieJar } from 'tough-cookie'
import {
  type BrowserSession,
  closeOpened,
  type SessionOptions,
  type StorageState,
  type UsePage,
} from '../../browser/session.ts'
import { BrowserFailed } from '../../browser/within.ts'
import type { Verdict } from '../answers/verdicts.ts'
import { openForCookies } from './cookie-pages.ts'
import { arriving } from './fault.ts'
import { createSharedWork } from './http-session.ts'
import { openMapPage } from './map-page.ts'
import { type MapTab, type OpenedTab, openTab, type TabOptions } from './map-tab.ts'

/** The Chromium part of an identity: one browser session with the map site, opened at its first use. */
export type ChromiumIdentity = {
  /**
   * Runs `use` on a tab of the session, and tells the exit the verdict on its result or its error. The session opens a page
   * for its cookies first, which make answers complete.
   */
  withTab<T>(use: UseTab<T>, verdictOn: (result: T) => Verdict, signal: AbortSignal): Promise<T>
  /** Copies the session's cookies to a jar, once. */
  lend(jar: CookieJar, signal: AbortSignal): Promise<void>
  hasLent(): boolean
  /** Closes the session and keeps its cookies and storage for the next one. */
  park(): Promise<void>
}

type UseTab<T> = (tab: MapTab) => Promise<T>

type Settings = Pick<TabOptions, 'exit' | 'onRequest' | 'onExchange'> & {
  readonly base: URL
  readonly language: string
  readonly log: Logger
  readonly open: (signal: AbortSignal, options: SessionOptions) => Promise<BrowserSession>
}

/** A page that takes longer hangs. Scrolling has a shorter limit. */
const PAGE_MS = 60_000

/** Creates a session that is not open yet. */
export function createChromiumIdentity(settings: Settings): ChromiumIdentity {
  const { log } = settings
  let storage: StorageState | undefined
  let lent = false

  const session = createSharedWork(async (signal) => {
    const opened = await settings.open(signal, { storage })
    try {
      await arriving(() =>
        onTab(
          opened,
          settings,
          (tab) => openCookiePage(tab, settings),
          () => 'doubtful_empty',
          signal,
        ),
      )
      return opened
    } catch (error) {
      await canFail(log, 'closing a browser session', opened.close())
      throw error
    }
  })
  const drop = async () => {
    lent = false
    await canFail(log, 'closing a browser session', closeOpened(session.forget()))
  }
  return {
    async withTab(use, verdictOn, signal) {
      const used = await session.get(signal)
      try {
        return await onTab(used, settings, use, verdictOn, signal)
      } catch (error) {
        if (error instanceof BrowserFailed && error.fault !== 'timeout') await drop()
        throw error
      }
    },
    async lend(jar, signal) {
      await copyCookies(await session.get(signal), jar)
      lent = true
    },
    hasLent: () => lent,
    async park() {
      const opened = await session.forget()?.catch(() => undefined)
      lent = false
      if (!opened) return
      storage = await opened.storage().catch(() => storage) // a dead Chromium returns nothing
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

async function copyCookies(lender: BrowserSession, jar: CookieJar): Promise<void> {
  for (const { name, value, domain, path, secure, httpOnly, expires } of await lender.cookies()) {
    const host = domain.replace(/^\./, '')
    const wide = domain.startsWith('.') ? { domain: host } : {} // without a domain a cookie belongs only to this host
    const until = expires > 0 ? { expires: new Date(expires * 1000) } : {}
    const cookie = new Cookie({ key: name, value, path, secure, httpOnly, ...wide, ...until })
    await jar.setCookie(cookie, `https://${host}/`, { ignoreError: true })
  }
}
