import { canFail, type Logger } from '@placefleet/shared/log'
import type { Page } from 'playwright'
import type { Browsers } from '../../browser/browsers.ts'
import type { BrowserSession, StorageState } from '../../browser/session.ts'
import type { EgressProxy } from '../../egress/egress-proxy.ts'
import type { Guard } from '../../egress/guard.ts'
import { createHttpClient, type HttpClient } from '../../egress/http-client.ts'
import type { Exit } from '../exits/exit.ts'
import { createChromiumIdentity } from './chromium.ts'
import { MapFailed, type MapFault, type RetryPolicy } from './fault.ts'
import { createHttpCookies, type HttpSession } from './http-session.ts'
import { createPageFetch, type PageFetch } from './page-fetch.ts'

/** An identity as one task uses it. */
export type MapSession = {
  readonly exit: Exit
  readonly http: HttpSession
  /** Begins a second session over plain HTTP through the same exit, with its own cookies. */
  another(): HttpSession
  readonly pageFetch: PageFetch
  /** For websites of businesses, through the same exit. */
  readonly client: HttpClient
  /** Opens the front page in Chromium, once, and copies its cookies to plain HTTP. */
  borrowCookies(): Promise<void>
  /** Runs `use` on a page; see BrowserSession.withPage. Opens a new browser session after the last one died. */
  withPage<T>(use: (page: Page) => Promise<T>): Promise<T>
  /** A separate browser session through the same exit, for websites of businesses. The caller closes it. */
  browse(): Promise<BrowserSession>
}

/**
 * One client as the map site sees it: an exit, a language, and cookies over HTTP and in Chromium. It lives over tasks and
 * ends as a whole.
 */
export type Identity = {
  readonly exit: Exit
  /** The identity for one task, until `release`. */
  forTask(signal: AbortSignal, retryPolicy: RetryPolicy): MapSession
  release(): void
  /** True when its exit was refused, or its age, its uses or its score say that another should take its place. */
  isSpent(): boolean
  /** Lets go of connections and pages once no task uses it. They are opened anew when one does. */
  end(): void
  close(): Promise<void>
}

export type IdentitySettings = {
  readonly guard: Guard
  readonly egress: EgressProxy
  readonly browsers: Browsers
  readonly base: URL
  readonly log: Logger
}

const LIFE = { ageMs: 3 * 3_600_000, uses: 300 }
/** Behind a rotating gateway every request may leave from another address, so one identity is not kept for long. */
const ROTATING_LIFE = { ageMs: 60_000, uses: 20 }
const MOST_ERRORS = 3
const SUSPECT: ReadonlySet<MapFault> = new Set<MapFault>(['broken', 'consent', 'timeout', 'unavailable'])
const FORGIVEN_PER_SUCCESS = 0.5
/** Milliseconds without a task after which connections and pages are closed. Cookies stay. */
const IDLE_MS = 30_000

/** An identity that has sent nothing yet. `now` is the clock in milliseconds. */
export function createIdentity(
  settings: IdentitySettings,
  { exit, language, pageFetch }: { exit: Exit; language: string; pageFetch: PageFetch },
  now = Date.now,
): Identity {
  const { guard, egress, log } = settings
  const grant = egress.grant(exit.proxy === undefined ? 'direct' : { proxy: exit.proxy })
  const bornAt = now()
  let uses = 0
  let errors = 0
  let users = 0
  let ended = false
  let idle: NodeJS.Timeout | undefined
  let client: HttpClient | undefined
  const openClient = () => (client ??= createHttpClient(guard, exit.proxy === undefined ? undefined : grant))
  const countUse = () => {
    uses++
  }
  const chromiumVersion = settings.browsers.version
  const overHttp = { ...settings, exit, language, chromiumVersion, client: openClient, onRequest: countUse }
  const cookies = createHttpCookies(overHttp)
  const chromium = createChromiumIdentity({ ...settings, language, open: openBrowser })

  function openBrowser(signal: AbortSignal, storage: StorageState | undefined): Promise<BrowserSession> {
    return settings.browsers.open(grant, language, signal, storage)
  }
  const judged = async <T>(work: Promise<T>): Promise<T> => {
    try {
      const result = await work
      errors = Math.max(0, errors - FORGIVEN_PER_SUCCESS)
      return result
    } catch (error) {
      if (error instanceof MapFailed && SUSPECT.has(error.fault)) errors++
      throw error
    }
  }
  const park = async () => {
    const parted = client
    client = undefined
    await Promise.all([
      parted && canFail(log, 'closing connections', parted.close()),
      canFail(log, 'closing a browser session', chromium.park()),
    ])
  }
  const close = async () => {
    clearTimeout(idle)
    await park()
    grant.revoke()
  }
  const whenUnused = () => {
    if (ended) void canFail(log, 'closing an identity', close())
    else idle = setTimeout(() => void canFail(log, 'parking an identity', park()), IDLE_MS)
  }
  return {
    exit,
    forTask(signal, retryPolicy) {
      users++
      clearTimeout(idle)
      const http = cookies.forTask(signal, retryPolicy)
      return {
        exit,
        pageFetch,
        http: {
          ask: (url, wanted) => judged(http.ask(url, wanted)),
          askPayload: (url) => judged(http.askPayload(url)),
          arrive: () => http.arrive(),
        },
        another: () => createHttpCookies(overHttp).forTask(signal, retryPolicy),
        client: openClient(),
        async borrowCookies() {
          if (!chromium.hasLent()) await exit.request(signal, () => chromium.lend(cookies.jar, signal))
        },
        withPage: (use) =>
          judged(
            exit.request(signal, () => {
              countUse()
              return chromium.withPage(use, signal)
            }),
          ),
        browse: () => openBrowser(signal, undefined),
      }
    },
    release() {
      users--
      if (users === 0) whenUnused()
    },
    isSpent() {
      const life = exit.isRotating() ? ROTATING_LIFE : LIFE
      const refused = exit.refusedAt() >= bornAt
      return ended || refused || errors >= MOST_ERRORS || uses >= life.uses || now() - bornAt >= life.ageMs
    },
    end() {
      ended = true
      if (users === 0) whenUnused()
    },
    close,
  }
}

/** The identities of an agent: one for each exit and language, kept over tasks. */
export type Identities = {
  /** The identity to use now. One that is spent, or whose exit was refused, gives way to a new one. */
  of(exit: Exit, language: string): Identity
  close(): Promise<void>
}

const MOST_REMEMBERED = 500

/** No identities yet. */
export function createIdentities(settings: IdentitySettings): Identities {
  const known = new Map<string, Identity>()
  const exits = new WeakMap<Exit, { number: number; pageFetch: PageFetch }>()
  let count = 0
  const knownExit = (exit: Exit) => {
    const entry = exits.get(exit) ?? { number: ++count, pageFetch: createPageFetch() }
    exits.set(exit, entry)
    return entry
  }
  const drop = (key: string, identity: Identity) => {
    known.delete(key)
    identity.end()
  }
  return {
    of(exit, language) {
      const { number, pageFetch } = knownExit(exit)
      const key = `${number} ${language}` // not the proxy's URL, which holds a password
      const before = known.get(key)
      if (before && !before.isSpent()) {
        known.delete(key)
        known.set(key, before) // the last to be dropped
        return before
      }
      if (before) drop(key, before)
      const identity = createIdentity(settings, { exit, language, pageFetch })
      known.set(key, identity)
      const [oldest] = known.size > MOST_REMEMBERED ? known : []
      if (oldest) drop(...oldest)
      return identity
    },
    async close() {
      const all = [...known.values()]
      known.clear()
      await Promise.all(all.map((identity) => canFail(settings.log, 'closing an identity', identity.close())))
    },
  }
}
