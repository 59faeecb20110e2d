import type { Door } from '../urls/door.ts'
import type { Viewport } from '../urls/parameters.ts'

/** Who may ask the map site, cheapest first: plain HTTP, and the site's own page in Chromium. */
export const CLIENTS = ['http', 'browser'] as const
export type Client = (typeof CLIENTS)[number]

/**
 * Which client asks at which door of the site. It belongs to one exit and never passes to another: each has its own
 * reputation with the site. Nothing in it says anything about a place.
 */
export type ClientMemory = {
  /** The first client to try at a door. */
  first(door: Door): Client
  /** Records that at this door only Chromium brought a complete answer: for five minutes it asks first. */
  preferBrowser(door: Door): void
  /** Records that Chromium brought nothing better than plain HTTP. After two of them it is spared for five minutes. */
  browserWasUseless(door: Door): void
  sparesBrowser(door: Door): boolean
  /** Records that a door answered with the page for clients without scripts: for a day only Chromium asks there. */
  needsScripts(door: Door): void
  wantsScripts(door: Door): boolean
  /** Whether the site refused the last request over plain HTTP, or wants scripts. A browser may be answered. */
  refusesHttp(): boolean
  /** Records that the site answered a client at a door. */
  answered(client: Client, door: Door): void
  /**
   * Records that the site refused the exit. After two refusals of a client without an answer between them, the client
   * is the reason: for a day the exit starts with the next one, because another attempt would cost another rest.
   * Further refusals at the same time (`at`) change nothing.
   */
  refused(client: Client, door: Door, at: number): void
  /** Records that the site answered a request for data. */
  servedData(by: RequestVia, url: URL): void
  /**
   * Call after a 403 without a captcha. True: the exit is blocked, because such requests worked before. False: the site
   * refuses this kind of request to everybody.
   */
  refusesExit(by: RequestVia, url: URL): boolean
  /**
   * Whether to skip reviews or photos: for a day after three of their requests in a row were refused, because they are
   * the reason.
   */
  isRefused(door: Door): boolean
  readonly lists: {
    /** Whether answers to searches left places out lately: then a search costs more requests. */
    haveGaps(): boolean
    noteGap(): void
    /** The last search that listed places, in the words of a job: it certainly has results. */
    lastFound(): FoundSearch | undefined
    noteFound(search: FoundSearch): void
  }
  /** Records that the site refuses an endpoint to everybody: for an hour it is not requested. */
  shut(endpoint: string): void
  isShut(endpoint: string): boolean
}

/** A search that listed places. */
type FoundSearch = { readonly query: string; readonly viewport?: Viewport | undefined }

const REMEMBERED_MS = 300_000
const USELESS_TRIES = 2
/** One refusal may be about the address, which others use too. */
const UNANSWERED_REFUSALS = 2
const REFUSAL_REMEMBERED_MS = 24 * 3_600_000
const SHUT_REMEMBERED_MS = 3_600_000

/** The doors whose data a place can be stored without. */
const EXTRAS: ReadonlySet<Door> = new Set<Door>(['reviews', 'photos'])
const MOST_REFUSALS_OF_EXTRA = 3

/** Creates an empty memory. `now` is the clock in milliseconds. */
export function createClientMemory(now: () => number): ClientMemory {
  const preferred = until<Door>(now)
  const scripted = until<Door>(now)
  const useless = until<Door>(now)
  const shutEndpoints = until<string>(now)
  const uselessTries = new Map<Door, number>()
  const unanswered: Record<Client, number> = { http: 0, browser: 0 }
  const refusals = new Map<Door, { count: number; at: number }>()
  let httpRefusedUntil = 0
  let gapsUntil = 0
  let found: FoundSearch | undefined
  let lastRefusedAt: number | undefined
  return {
    first: (door) => (preferred.holds(door) || scripted.holds(door) || httpRefusedUntil > now() ? 'browser' : 'http'),
    preferBrowser(door) {
      uselessTries.delete(door)
      if (!preferred.holds(door)) preferred.set(door, REMEMBERED_MS) // not renewed, so that plain HTTP is tried again
    },
    browserWasUseless(door) {
      const tries = (uselessTries.get(door) ?? 0) + 1
      uselessTries.set(door, tries % USELESS_TRIES)
      if (tries >= USELESS_TRIES) useless.set(door, REMEMBERED_MS)
    },
    sparesBrowser: useless.holds,
    needsScripts: (door) => scripted.set(door, REFUSAL_REMEMBERED_MS),
    wantsScripts: scripted.holds,
    refusesHttp: () => unanswered.http > 0 || scripted.holdsAny(),
    answered(client, door) {
      unanswered[client] = 0
      refusals.delete(door)
    },
    refused(client, door, at) {
      if (at === lastRefusedAt) return
      lastRefusedAt = at
      unanswered[client]++
      if (unanswered.http >= UNANSWERED_REFUSALS) httpRefusedUntil = now() + REFUSAL_REMEMBERED_MS
      if (EXTRAS.has(door)) refusals.set(door, { count: (refusals.get(door)?.count ?? 0) + 1, at })
    },
    ...createDataRefusals(),
    lists: {
      haveGaps: () => gapsUntil > now(),
      noteGap() {
        gapsUntil = now() + REMEMBERED_MS
      },
      lastFound: () => found,
      noteFound({ query, viewport }) {
        found = { query, viewport }
      },
    },
    shut: (endpoint) => shutEndpoints.set(endpoint, SHUT_REMEMBERED_MS),
    isShut: shutEndpoints.holds,
    isRefused(door) {
      const { count = 0, at = 0 } = refusals.get(door) ?? {}
      return count >= MOST_REFUSALS_OF_EXTRA && at + REFUSAL_REMEMBERED_MS > now()
    },
  }
}

/** Facts that hold for a time. */
function until<Key>(now: () => number) {
  const ends = new Map<Key, number>()
  const holds = (key: Key): boolean => (ends.get(key) ?? 0) > now()
  return {
    set: (key: Key, ms: number) => void ends.set(key, now() + ms),
    holds,
    holdsAny: () => [...ends.keys()].some(holds),
  }
}

/** The site decides how many paths and URLs there are. */
const MOST_REMEMBERED = 1_000

/** Who requests data: plain HTTP, a script of the agent in an open page, or the page itself. */
export type RequestVia = 'http' | 'script' | 'page'

/** Tells a blocked exit from requests for data that the site refuses to every exit. */
function createDataRefusals(): Pick<ClientMemory, 'servedData' | 'refusesExit'> {
  const served = new Set<string>()
  const refusedUrls = new Set<string>()
  return {
    servedData(by, { pathname }) {
      if (served.size >= MOST_REMEMBERED) served.clear()
      served.add(`${by} ${pathname}`)
    },
    refusesExit(by, { pathname, href }) {
      const isExit = served.delete(`${by} ${pathname}`) && !refusedUrls.has(href)
      if (refusedUrls.size >= MOST_REMEMBERED) refusedUrls.clear()
      refusedUrls.add(href)
      return isExit
    },
  }
}
