import { abortable } from '@placefleet/shared/timing'
import sniffEncoding from 'html-encoding-sniffer'
import { CookieJar } from 'tough-cookie'
import { type BrowserProfile, named } from '../browser/browser-profile.ts'
import type { HttpClient } from '../egress/http-client.ts'
import type { GetPage, InTurn, MayFetch } from './crawl.ts'
import { type RobotsRules, readRobotsRules } from './robots-rules.ts'

const TIMEOUT_MS = 10_000
/** The most bytes of a page. An address further down is not worth the memory. */
const MAX_BYTES = 1_500_000
/** The most characters of a Content-Type that are read. Longer ones are attacks. */
const MAX_CONTENT_TYPE = 200
const CHARSET = /charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w:.()-]{1,40})/i

/** Creates a function that fetches pages of one website with their own cookies. */
export function createGetPage(client: HttpClient, profile: BrowserProfile, language: string): GetPage {
  const cookies = new CookieJar()
  const headers = websiteHeaders(profile, language)
  return async (url, signal) => {
    const request = { url, headers, cookies, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
    const answer = await client.fetch(request)
    const contentType = answer.headers['content-type'] ?? ''
    return { status: answer.status, url: answer.url, contentType, text: decodeText(answer.body, contentType) }
  }
}

// Websites may know who visits them. The map site sees only the headers of Chromium.
const websiteHeaders = (profile: BrowserProfile, language: string): Record<string, string> => ({
  'user-agent': named(profile, OUR_NAME).userAgent,
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': language,
})

/** Decodes a page in the charset that a browser would use (WHATWG HTML, "determining the character encoding"). */
export function decodeText(body: Buffer, contentType: string): string {
  const label = CHARSET.exec(contentType.slice(0, MAX_CONTENT_TYPE))?.[1]
  const declared = label === undefined ? {} : { transportLayerEncodingLabel: label }
  return new TextDecoder(sniffEncoding(body, { ...declared, defaultEncoding: 'UTF-8' })).decode(body)
}

/** Runs the work for each host one after the other. */
export type HostTurns = {
  /** Runs the work after all earlier work for this host. Throws the abort reason at once, also while it waits. */
  readonly run: InTurn
}

/** Creates an empty queue of turns. */
export function createHostTurns(): HostTurns {
  const last = new Map<string, Promise<unknown>>()
  return {
    run(host, signal, work) {
      const mine = (last.get(host) ?? Promise.resolve()).then(() => {
        signal.throwIfAborted()
        return work()
      })
      const ended = mine.then(
        () => undefined,
        () => undefined,
      )
      last.set(host, ended)
      void ended.then(() => {
        if (last.get(host) === ended) last.delete(host)
      })
      return abortable(mine, signal)
    },
  }
}

/** Our name in robots.txt and in the logs of websites. */
export const OUR_NAME = 'Placefleet'

const ALL: RobotsRules = { allows: () => true }
const NONE: RobotsRules = { allows: () => false }

/**
 * Obeys the robots.txt of each host and fetches it once (RFC 9309). Without one, every page is allowed. When the host
 * responds with a server error, no page is allowed. Without a response, every page is allowed, and fetching the page
 * shows the fault.
 */
export function createRobots(get: GetPage): MayFetch {
  const known = new Map<string, Promise<RobotsRules>>()
  return async (url, signal) => {
    const rules = known.get(url.origin) ?? readRobots(new URL('/robots.txt', url), get, signal)
    known.set(url.origin, rules)
    return (await rules).allows(url)
  }
}

async function readRobots(address: URL, get: GetPage, signal: AbortSignal): Promise<RobotsRules> {
  try {
    const { status, text } = await get(address, signal)
    if (status >= 500) return NONE
    if (status < 200 || status > 299) return ALL
    return readRobotsRules(text, OUR_NAME)
  } catch {
    signal.throwIfAborted()
    return ALL
  }
}
