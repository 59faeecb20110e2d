import { canFail, type Logger } from '@placefleet/shared/log'
import { monotonicNow } from '@placefleet/shared/timing'
import { CookieJar } from 'tough-cookie'
import { type BrowserProfile, profileOf } from '../../browser/browser-profile.ts'
import type { Browsers } from '../../browser/browsers.ts'
import type { BrowserSession, SessionOptions } from '../../browser/session.ts'
import type { EgressGrant, EgressProxy } from '../../egress/egress-proxy.ts'
import type { Guard } from '../../egress/guard.ts'
import { type ClientOptions, createHttpClient, type HttpClient } from '../../egress/http-client.ts'
import { isRefusal, type Verdict } from '../answers/verdicts.ts'
import type { Exit } from '../exits/exit.ts'
import { ExitRests } from '../exits/turns.ts'
import { createChromiumIdentity } from './chromium.ts'
import type { OnExchange } from './exchange.ts'
import { MapFailed, type RetryPolicy } from './fault.ts'
import { createHttpIdentity, type HttpSession } from './http-session.ts'
import type { MapTab } from './map-tab.ts'
import type { PageFetch } from './page-fetch.ts'

/** An identity as one task uses it. */
export type MapSession = {
  readonly exit: Exit
  readonly http: HttpSession
  readonly pageFetch: PageFetch
  /** Opens another HTTP client through the same exit, for websites of businesses. The caller closes it. */
  openClient(options: ClientOptions): HttpClient
  /** How the Chromium of this agent presents itself. */
  profile(): BrowserProfile
  /**
   * Runs `use` on a tab; see BrowserSession.withPage. The exit learns the verdict of `verdictOn` on its result. Opens a new
   * browser session after the last one died.
   */
  withTab<T>(use: (tab: MapTab) => Promise<T>, verdictOn: (result: T) => Verdict): Promise<T>
  /**
   * A separate browser session through the same exit, for websites of businesses, that adds a name to its user agent.
   * The caller closes it.
   */
  browse(name: string): Promise<BrowserSession>
}

/**
 * One client, as the map site sees it: an exit, a language, and cookies over HTTP and in Chromium. It outlives tasks
 * and ends as a whole.
 */
export type Identity = {
  readonly exit: Exit
  /** Returns the session of one task on this identity, until `release`. */
  forTask(signal: AbortSignal, retryPolicy: RetryPolicy): MapSession
  release(): void
  /** Whether to replace it: its exit was refused or gets only the consent form, or it is too old or used too often. */
  isSpent(): boolean
  /** Closes connections and pages once no task uses it. The next task opens them again. */
  end(): void
  close(): Promise<void>
}

export type IdentitySettings = {
  readonly guard: Guard
  readonly egress: EgressProxy
  readonly browsers: Browsers
  readonly base: URL
  readonly log: Logger
  readonly onExchange?: OnExchange
}

const LIFE = { ageMs: 3 * 3_600_000, uses: 300 }
/** As Chromium keeps connections. A client that shakes hands for each request would be the only one of its kind. */
const KEEP_ALIVE_MS = 120_000
/** Milliseconds without a task after which connections and pages are closed. Cookies stay. */
const IDLE_MS = 30_000

/** Creates an identity that has sent nothing yet. `now` is the clock in milliseconds. */
export function createIdentity(
  settings: IdentitySettings,
  { exit, language, pageFetch }: { exit: Exit; language: string; pageFetch: PageFetch },
  now = monotonicNow,
): Identity {
  const { egress, log } = settings
  const grant = egress.grant(exit.proxy === undefined ? 'direct' : { proxy: exit.proxy })
  const bornAt = now()
  const usage = countUses()
  const parts = openParts(settings, { exit, language, grant, onRequest: usage.used })
  let users = 0
  let ended = false
  let idle: NodeJS.Timeout | undefined

  const close = async () => {
    clearTimeout(idle)
    await parts.park()
    grant.revoke()
  }
  const whenUnused = () => {
    if (ended) void canFail(log, 'closing an identity', close())
    else idle = setTimeout(() => void canFail(log, 'parking an identity', parts.park()), IDLE_MS)
  }
  return {
    exit,
    forTask(signal, retryPolicy) {
      users++
      clearTimeout(idle)
      return sessionOf({ exit, pageFetch, parts, usage }, signal, retryPolicy)
    },
    release() {
      users--
      if (users === 0) whenUnused()
    },
    isSpent() {
      return ended || exit.refusedAt() >= bornAt || now() - bornAt >= LIFE.ageMs || usage.isUsedUp(LIFE.uses)
    },
    end() {
      ended = true
      if (users === 0) whenUnused()
    },
    close,
  }
}

type PartsOptions = {
  readonly exit: Exit
  readonly language: string
  readonly grant: EgressGrant
  readonly onRequest: () => void
}

/**
 * Creates the parts of an identity: its HTTP client, its cookies, and its session in Chromium. Each is opened on first
 * use.
 */
function openParts(settings: IdentitySettings, { exit, language, grant, onRequest }: PartsOptions) {
  const { guard, browsers, log } = settings
  let client: HttpClient | undefined
  const openClient = (options: ClientOptions) =>
    createHttpClient(guard, exit.proxy === undefined ? undefined : grant, options)
  const ownClient = () => (client ??= openClient({ keepAliveMs: KEEP_ALIVE_MS }))
  const openBrowser = (signal: AbortSignal, options: SessionOptions) => browsers.open(grant, language, signal, options)
  const chromiumVersion = browsers.version
  const jar = new CookieJar()
  const chromium = createChromiumIdentity({ ...settings, exit, jar, onRequest, language, open: openBrowser })
  return {
    openClient,
    openBrowser,
    profile: () => profileOf(browsers.version()),
    http: createHttpIdentity({ ...settings, exit, language, chromiumVersion, client: ownClient, onRequest, jar }),
    chromium,
    /** Closes connections and pages. Cookies stay. */
    async park(): Promise<void> {
      const parted = client
      client = undefined
      await Promise.all([
        parted && canFail(log, 'closing connections', parted.close()),
        canFail(log, 'closing a browser session', chromium.park()),
      ])
    },
  }
}

/** Counts the uses of an identity, and notes the answer that ends it. */
function countUses() {
  let uses = 0
  let ended = false
  const used = () => {
    uses++
  }
  return {
    used,
    isUsedUp: (mostUses: number) => ended || uses >= mostUses,
    async watched<T>(work: Promise<T>): Promise<T> {
      try {
        return await work
      } catch (error) {
        ended ||= error instanceof MapFailed && isRefusal(error.fault) && !(error.cause instanceof ExitRests)
        throw error
      }
    },
  }
}

type Own = {
  readonly exit: Exit
  readonly pageFetch: PageFetch
  readonly parts: ReturnType<typeof openParts>
  readonly usage: ReturnType<typeof countUses>
}

/** Returns the session of one task on an identity. */
function sessionOf({ exit, pageFetch, parts, usage }: Own, signal: AbortSignal, retryPolicy: RetryPolicy): MapSession {
  const { chromium } = parts
  const http = parts.http.forTask(signal, retryPolicy)
  return {
    exit,
    pageFetch,
    http: {
      ask: (...asked) => usage.watched(http.ask(...asked)),
      askPayload: (...asked) => usage.watched(http.askPayload(...asked)),
      openFrontPage: () => http.openFrontPage(),
    },
    openClient: parts.openClient,
    profile: parts.profile,
    withTab: (use, verdictOn) => usage.watched(chromium.withTab(use, verdictOn, signal)),
    browse: (name) => parts.openBrowser(signal, { name }),
  }
}
