import { canFail, type Logger } from '@placefleet/shared/log'
import { setNewest } from '@placefleet/shared/newest'
import { monotonicNow } from '@placefleet/shared/timing'
import { CookieJar } from 'tough-cookie'
import { profileOf } from '../../browser/browser-profile.ts'
import type { Browsers } from '../../browser/browsers.ts'
import type { BrowserSession, SessionOptions } from '../../browser/session.ts'
import type { EgressProxy } from '../../egress/egress-proxy.ts'
import type { Guard } from '../../egress/guard.ts'
import { type ClientOptions, createHttpClient, type HttpClient } from '../../egress/http-client.ts'
import type { Locale } from '../urls/parameters.ts'
import { createMapBrowser } from './browser.ts'
import { httpExchange, type OnExchange } from './exchange.ts'
import type { Exit } from './exit.ts'
import { type HttpIdentity, type HttpSession, visitForCookies } from './map-request.ts'
import { createSharedWork } from './shared-work.ts'

/**
 * One client, as the map site sees it: an exit, a locale, and one set of cookies for plain HTTP and Chromium. It
 * outlives tasks and ends as a whole.
 */
export type Identity = ReturnType<typeof createIdentity>

export type MapSession = HttpSession & { readonly identity: Identity }

export type IdentitySettings = {
  readonly guard: Guard
  readonly egress: EgressProxy
  readonly browsers: Browsers
  readonly base: URL
  readonly log: Logger
  readonly onExchange?: OnExchange
}

const LIFE = { ageMs: 3 * 3_600_000, requests: 300 }
/** As Chromium keeps connections. A client that shakes hands for each request would be the only one of its kind. */
const KEEP_ALIVE_MS = 120_000
/** Milliseconds without work after which connections and pages are closed. */
const IDLE_MS = 30_000
/** The most bytes of an answer: ten times the largest place page. */
const LIMITS = { timeoutMs: 15_000, maxBytes: 10_000_000 }

export function createIdentity(
  { guard, egress, browsers, base, log, onExchange }: IdentitySettings,
  { exit, locale }: { exit: Exit; locale: Locale },
) {
  const grant = egress.grant(exit.proxy === undefined ? 'direct' : { proxy: exit.proxy })
  const bornAt = monotonicNow()
  const jar = new CookieJar()
  let client: HttpClient | undefined
  let requests = 0
  let users = 0
  let isRetired = false
  let hasEnded = false
  let idle: NodeJS.Timeout | undefined

  const openClient = (options: ClientOptions) =>
    createHttpClient(guard, exit.proxy === undefined ? undefined : grant, options)
  const open = (signal: AbortSignal, options: SessionOptions) => browsers.open(grant, locale.language, signal, options)
  const countRequest = () => void requests++
  const browser = createMapBrowser({ exit, base, locale, jar, log, open, countRequest, onExchange })
  const park = async (): Promise<void> => {
    const unused = client
    client = undefined
    await Promise.all([
      unused && canFail(log, 'closing connections', unused.close()),
      canFail(log, 'closing a browser session', browser.park()),
    ])
  }
  const close = async (): Promise<void> => {
    clearTimeout(idle)
    await park()
    grant.revoke()
  }
  const whenUnused = () => {
    if (hasEnded) void canFail(log, 'closing an identity', close())
    else idle = setTimeout(() => void canFail(log, 'parking an identity', park()), IDLE_MS)
  }
  const overHttp: HttpIdentity = {
    exit,
    base,
    locale,
    profile: () => profileOf(browsers.version()),
    send(request, signal) {
      countRequest()
      client ??= openClient({ keepAliveMs: KEEP_ALIVE_MS })
      const answer = client.fetch({ ...request, ...LIMITS, cookies: jar, signal })
      onExchange?.(httpExchange(request, answer))
      return answer
    },
    frontPage: createSharedWork((signal) => visitForCookies(overHttp, signal)),
  }
  return {
    ...overHttp,
    browser,
    /** Opens another HTTP client through the same exit, for websites of businesses. The caller closes it. */
    openClient,
    /** Opens another browser session with this name in its user agent, for websites. The caller closes it. */
    openBrowser: (name: string, signal: AbortSignal): Promise<BrowserSession> => open(signal, { name }),
    /** Keeps connections and pages open while work runs, and for half a minute after it. Cookies stay. */
    async use<T>(work: () => Promise<T>): Promise<T> {
      users++
      clearTimeout(idle)
      try {
        return await work()
      } finally {
        users--
        if (users === 0) whenUnused()
      }
    },
    /** Says that the site refused it: another identity replaces it. */
    retire(): void {
      isRetired = true
    },
    /** Whether to replace it: it or its exit was refused, or it is too old or was used too often. */
    isSpent: (): boolean =>
      isRetired || exit.refusedAt() >= bornAt || monotonicNow() - bornAt >= LIFE.ageMs || requests >= LIFE.requests,
    /** Closes connections and pages once no work runs. */
    end(): void {
      hasEnded = true
      if (users === 0) whenUnused()
    },
    close,
  }
}

/** The identities of an agent: one for each exit and locale, kept over tasks. */
export type Identities = ReturnType<typeof createIdentities>

const MOST_REMEMBERED = 500

export function createIdentities(settings: IdentitySettings) {
  const identities = new Map<string, Identity>()
  return {
    /** Returns the identity to use now. A new one replaces an identity that is spent. */
    of(exit: Exit, locale: Locale): Identity {
      const key = JSON.stringify([exit.proxy, locale.language, locale.country])
      const before = identities.get(key)
      const isSpent = before?.isSpent() === true
      if (isSpent) before.end()
      const identity = before && !isSpent ? before : createIdentity(settings, { exit, locale })
      const oldest = setNewest(identities, key, identity, MOST_REMEMBERED)
      oldest?.[1].end()
      return identity
    },
    async close(): Promise<void> {
      const all = [...identities.values()]
      identities.clear()
      await Promise.all(all.map((identity) => canFail(settings.log, 'closing an identity', identity.close())))
    },
  }
}
