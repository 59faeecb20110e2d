import { canFail, type Logger } from '@placefleet/shared/log'
import { setNewest } from '@placefleet/shared/newest'
import { monotonicNow } from '@placefleet/shared/timing'
import { CookieJar } from 'tough-cookie'
import { type BrowserProfile, profileOf } from '../../browser/browser-profile.ts'
import type { Browsers } from '../../browser/browsers.ts'
import type { BrowserSession, SessionOptions } from '../../browser/session.ts'
import type { EgressProxy } from '../../egress/egress-proxy.ts'
import type { Guard } from '../../egress/guard.ts'
import { type ClientOptions, createHttpClient, type HttpClient } from '../../egress/http-client.ts'
import type { Locale } from '../urls/parameters.ts'
import { createMapBrowser, type MapBrowser } from './browser.ts'
import { httpExchange, type OnExchange } from './exchange.ts'
import type { Exit } from './exit.ts'
import type { RetryPolicy } from './failure.ts'
import { type HttpIdentity, visitForCookies } from './map-request.ts'
import { createSharedWork } from './shared-work.ts'

/**
 * One client, as the map site sees it: an exit, a locale, and one set of cookies for plain HTTP and Chromium. It
 * outlives tasks and ends as a whole.
 */
export type Identity = HttpIdentity & {
  readonly browser: MapBrowser
  /** Opens another HTTP client through the same exit, for websites of businesses. The caller closes it. */
  openClient(options: ClientOptions): HttpClient
  /**
   * Opens a separate browser session through the same exit, for websites of businesses, that adds a name to its user
   * agent. The caller closes it.
   */
  openBrowser(name: string, signal: AbortSignal): Promise<BrowserSession>
  /** Keeps connections and pages open while work runs, and for half a minute after it. Cookies stay. */
  use<T>(work: () => Promise<T>): Promise<T>
  /** Says that the site refused it: another identity replaces it. */
  retire(): void
  /** Whether to replace it: it or its exit was refused, or it is too old or was used too often. */
  isSpent(): boolean
  /** Closes connections and pages once no work runs. */
  end(): void
  close(): Promise<void>
}

/** An identity as one task uses it. */
export type MapSession = {
  readonly identity: Identity
  readonly signal: AbortSignal
  readonly retryPolicy: RetryPolicy
}

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

/** Creates an identity that has sent nothing yet. `now` is the clock in milliseconds. */
export function createIdentity(
  { guard, egress, browsers, base, log, onExchange }: IdentitySettings,
  { exit, locale }: { exit: Exit; locale: Locale },
  now = monotonicNow,
): Identity {
  const grant = egress.grant(exit.proxy === undefined ? 'direct' : { proxy: exit.proxy })
  const bornAt = now()
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
  const profile = (): BrowserProfile => profileOf(browsers.version())
  const countRequest = () => void requests++
  /** Closes connections and pages. */
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
  const browser = createMapBrowser({ exit, base, locale, jar, log, open, countRequest, onExchange })
  const identity: Identity = {
    exit,
    base,
    locale,
    profile,
    send(request, signal) {
      countRequest()
      client ??= openClient({ keepAliveMs: KEEP_ALIVE_MS })
      const answer = client.fetch({ ...request, ...LIMITS, cookies: jar, signal })
      onExchange?.(httpExchange(request, answer))
      return answer
    },
    frontPage: createSharedWork((signal) => visitForCookies(identity, signal)),
    browser,
    openClient,
    openBrowser: (name, signal) => open(signal, { name }),
    async use(work) {
      users++
      clearTimeout(idle)
      try {
        return await work()
      } finally {
        users--
        if (users === 0) whenUnused()
      }
    },
    retire() {
      isRetired = true
    },
    isSpent: () => isRetired || exit.refusedAt() >= bornAt || now() - bornAt >= LIFE.ageMs || requests >= LIFE.requests,
    end() {
      hasEnded = true
      if (users === 0) whenUnused()
    },
    close,
  }
  return identity
}

/** The identities of an agent: one for each exit and locale, kept over tasks. */
export type Identities = {
  /** Returns the identity to use now. A new one replaces an identity that is spent. */
  of(exit: Exit, locale: Locale): Identity
  close(): Promise<void>
}

const MOST_REMEMBERED = 500

/** Creates an empty collection of identities. */
export function createIdentities(settings: IdentitySettings): Identities {
  const identities = new Map<string, Identity>()
  const numbers = new WeakMap<Exit, number>()
  let count = 0
  const numberOf = (exit: Exit): number => {
    const number = numbers.get(exit) ?? ++count
    numbers.set(exit, number)
    return number
  }
  return {
    of(exit, locale) {
      const key = `${numberOf(exit)} ${locale.language} ${locale.country}` // no URL of a proxy, which holds a password
      const before = identities.get(key)
      if (before?.isSpent()) before.end()
      const identity = before && !before.isSpent() ? before : createIdentity(settings, { exit, locale })
      const oldest = setNewest(identities, key, identity, MOST_REMEMBERED)
      oldest?.[1].end()
      return identity
    },
    async close() {
      const all = [...identities.values()]
      identities.clear()
      await Promise.all(all.map((identity) => canFail(settings.log, 'closing an identity', identity.close())))
    },
  }
}
