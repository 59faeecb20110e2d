import { canFail, type Logger } from '@placefleet/shared/log'
import type { Page } from 'playwright'
import { Cookie, type CookieJar } from 'tough-cookie'
import type { Browsers } from '../../browser/browsers.ts'
import { type BrowserSession, closeOpened } from '../../browser/session.ts'
import { BrowserFailed } from '../../browser/within.ts'
import type { EgressGrant, EgressProxy } from '../../egress/egress-proxy.ts'
import type { Guard } from '../../egress/guard.ts'
import { createHttpClient, type HttpClient } from '../../egress/http-client.ts'
import { createHttpSession, frontPage, type HttpSession } from './http-session.ts'
import { openMapPage } from './map-page.ts'
import type { RetryPolicy } from './retry.ts'

/** One face towards the map site: one way out, one set of cookies over HTTP, one Chromium session if it comes to that. */
export type MapSession = {
  readonly proxy: string | undefined
  readonly client: HttpClient
  readonly http: HttpSession
  /** Begins a second session over plain HTTP by the same way out, with cookies of its own. */
  another(): HttpSession
  /** Lets Chromium visit the front page, once, and gives its cookies to plain HTTP. */
  borrowCookies(): Promise<void>
  /** Runs `use` on a page of its own; see BrowserSession.withPage. A session that died is opened anew the next time. */
  withPage<T>(use: (page: Page) => Promise<T>): Promise<T>
  /** A Chromium session by the same way out, for sites other than the map's. Whoever opens it closes it. */
  browse(): Promise<BrowserSession>
  /** Cuts everything. */
  close(): Promise<void>
}

/** What sessions are made from. */
export type MapSessionSettings = {
  readonly guard: Guard
  readonly egress: EgressProxy
  readonly browsers: Browsers
  readonly base: URL
  readonly language: string
  readonly signal: AbortSignal
  readonly log: Logger
}

/** A page that takes longer is hung; what scrolls ends itself before. */
const PAGE_MS = 60_000

/** A session that has not gone out yet, through the proxy if one is given. `retryPolicy` is for each question over plain HTTP. */
export function createMapSession(
  settings: MapSessionSettings,
  proxy: string | undefined,
  retryPolicy: RetryPolicy,
): MapSession {
  const { guard, egress, browsers, language, signal, log } = settings
  const grant: EgressGrant = egress.grant(proxy === undefined ? 'direct' : { proxy })
  const client = createHttpClient(guard, proxy === undefined ? undefined : grant)
  const httpSettings = { ...settings, client, retryPolicy, chromiumVersion: browsers.version }
  const http = createHttpSession(httpSettings)
  let session: Promise<BrowserSession> | undefined
  let borrowed: { lender: BrowserSession; done: Promise<void> } | undefined

  // Like a person, it comes by the front page, whose cookie makes answers complete.
  const arrive = async (): Promise<BrowserSession> => {
    const opened = await browsers.open(grant, language, signal)
    try {
      await opened.withPage((page) => openFrontPage(page, settings), { timeoutMs: PAGE_MS, signal })
      return opened
    } catch (error) {
      await canFail(log, 'closing a browser session', opened.close())
      throw error
    }
  }
  const arrived = (): Promise<BrowserSession> => {
    session ??= arrive().catch((error: unknown) => {
      session = undefined
      throw error
    })
    return session
  }
  return {
    proxy,
    client,
    http,
    another: () => createHttpSession(httpSettings),
    async borrowCookies() {
      const lender = await arrived()
      if (borrowed?.lender !== lender) borrowed = { lender, done: lend(lender, http.jar) }
      await borrowed.done
    },
    async withPage(use) {
      const used = await arrived()
      try {
        return await used.withPage(use, { timeoutMs: PAGE_MS, signal })
      } catch (error) {
        if (error instanceof BrowserFailed && error.fault !== 'timeout') {
          session = undefined
          await canFail(log, 'closing a browser session', used.close())
        }
        throw error
      }
    },
    browse: () => browsers.open(grant, language, signal),
    async close() {
      await Promise.all([
        canFail(log, 'closing connections', client.close()),
        canFail(log, 'closing a browser session', closeOpened(session)),
      ])
      grant.revoke()
    },
  }
}

// Scripts of the page set cookies too, the last of them before it is loaded.
async function openFrontPage(page: Page, settings: MapSessionSettings): Promise<void> {
  await openMapPage(page, frontPage(settings))
  await page.waitForLoadState('load')
}

async function lend(lender: BrowserSession, jar: CookieJar): Promise<void> {
  for (const { name, value, domain, path, secure, httpOnly, expires } of await lender.cookies()) {
    const host = domain.replace(/^\./, '')
    const wide = domain.startsWith('.') ? { domain: host } : {} // without a domain it is for this host alone
    const until = expires > 0 ? { expires: new Date(expires * 1000) } : {}
    const cookie = new Cookie({ key: name, value, path, secure, httpOnly, ...wide, ...until })
    await jar.setCookie(cookie, `https://${host}/`, { ignoreError: true })
  }
}
