import type { Door } from '../urls/door.ts'
import type { Viewport } from '../urls/parameters.ts'

/** Who may ask the map site, cheapest first: plain HTTP, and the site's own page in Chromium. */
export const CLIENTS = ['http', 'browser'] as const
export type Client = (typeof CLIENTS)[number]

/** Who requests data: plain HTTP, a script of the agent in an open page, or the page itself. */
export type RequestVia = 'http' | 'script' | 'page'

type FoundSearch = { readonly query: string; readonly viewport?: Viewport | undefined }

const MINUTES = 60_000
const DAY = 24 * 60 * MINUTES
const USELESS_TRIES = 2
/** One refusal may be about the address, which others use too. */
const UNANSWERED_REFUSALS = 2
/** The site decides how many paths and URLs there are. */
const MOST_REMEMBERED = 1_000

/**
 * Which client asks at which door of the site. It belongs to one exit and never passes to another: each has its own
 * reputation with the site. Nothing in it says anything about a place.
 */
export type ClientMemory = ReturnType<typeof createClientMemory>

export function createClientMemory(now: () => number) {
  const preferred = until<Door>(now)
  const scripted = until<Door>(now)
  const useless = until<Door>(now)
  const closed = until<string>(now)
  const uselessTries = new Map<Door, number>()
  let httpRefusals = 0
  let httpRefusedUntil = 0
  let lastRefusedAt: number | undefined
  let gapsUntil = 0
  let lastSearch: FoundSearch | undefined
  return {
    first: (door: Door): Client =>
      preferred.holds(door) || scripted.holds(door) || httpRefusedUntil > now() ? 'browser' : 'http',
    /** Records that at this door only Chromium brought a complete answer: for five minutes it asks first. */
    preferBrowser(door: Door): void {
      uselessTries.delete(door)
      if (!preferred.holds(door)) preferred.set(door, 5 * MINUTES) // not renewed, so that plain HTTP is tried again
    },
    /** Records that Chromium brought nothing better. After two such answers it is spared for five minutes. */
    browserWasUseless(door: Door): void {
      const tries = (uselessTries.get(door) ?? 0) + 1
      uselessTries.set(door, tries % USELESS_TRIES)
      if (tries >= USELESS_TRIES) useless.set(door, 5 * MINUTES)
    },
    sparesBrowser: useless.holds,
    /** Records that a door answered with the page for clients without scripts: for a day only Chromium asks there. */
    needsScripts: (door: Door): void => scripted.set(door, DAY),
    wantsScripts: scripted.holds,
    /** Whether the site refused the last request over plain HTTP, or wants scripts. A browser may be answered. */
    refusesHttp: (): boolean => httpRefusals > 0 || scripted.holdsAny(),
    answered(client: Client): void {
      if (client === 'http') httpRefusals = 0
    },
    /**
     * Records that the site refused the exit. After two refusals of plain HTTP without an answer between them, it is
     * the reason: for a day Chromium asks first, because another attempt would cost another rest. Further refusals at
     * the same time (`at`) change nothing.
     */
    refused(client: Client, at: number): void {
      if (at === lastRefusedAt) return
      lastRefusedAt = at
      if (client === 'http' && ++httpRefusals >= UNANSWERED_REFUSALS) httpRefusedUntil = now() + DAY
    },
    /** Records that the site refuses an endpoint to everybody: for an hour it is not requested. */
    close: (endpoint: string): void => closed.set(endpoint, 60 * MINUTES),
    isClosed: closed.holds,
    ...createDataRefusals(),
    lists: {
      /** Whether answers to searches left places out lately: then a search costs more requests. */
      haveGaps: (): boolean => gapsUntil > now(),
      noteGap(): void {
        gapsUntil = now() + 5 * MINUTES
      },
      /** The last search that listed places, in the words of a job: it certainly has results. */
      lastFound: (): FoundSearch | undefined => lastSearch,
      noteFound({ query, viewport }: FoundSearch): void {
        lastSearch = { query, viewport }
      },
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

/** Tells a blocked exit from requests for data that the site refuses to every exit. */
function createDataRefusals() {
  const served = new Set<string>()
  const refusedUrls = new Set<string>()
  return {
    /** Records that the site answered a request for data. */
    servedData(by: RequestVia, { pathname }: URL): void {
      if (served.size >= MOST_REMEMBERED) served.clear()
      served.add(`${by} ${pathname}`)
    },
    /**
     * Call after a 403 without a captcha. True: the exit is blocked, because such requests worked before. False: the
     * site refuses this kind of request to everybody.
     */
    refusesExit(by: RequestVia, { pathname, href }: URL): boolean {
      const isExit = served.delete(`${by} ${pathname}`) && !refusedUrls.has(href)
      if (refusedUrls.size >= MOST_REMEMBERED) refusedUrls.clear()
      refusedUrls.add(href)
      return isExit
    },
  }
}
