import { createRequire } from 'node:module'
import sniffEncoding from 'html-encoding-sniffer'
import type robots from 'robots-parser'
import { CookieJar } from 'tough-cookie'
import { faceOf, named } from '../browser/face.ts'
import type { HttpClient } from '../egress/http-client.ts'
import type { GetPage, MayFetch } from './crawl.ts'

const TIMEOUT_MS = 10_000
/** A contact address behind so much HTML is not worth the memory. */
const MAX_BYTES = 1_500_000
const CHARSET = /charset\s*=\s*["']?\s*([\w:.()-]+)/i

/** A function that fetches pages of one business website with its own cookies, one at a time from each host. */
export function createGetPage(client: HttpClient, language: string, turns: HostTurns): GetPage {
  const cookies = new CookieJar()
  const headers = websiteHeaders(language)
  return async (url, signal) => {
    const request = { url, headers, cookies, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
    const answer = await turns.run(url.host, () => client.fetch(request))
    const contentType = answer.headers['content-type'] ?? ''
    return { status: answer.status, url: answer.url, contentType, text: decodeText(answer.body, contentType) }
  }
}

// A website may know who visits it, unlike the map site, where we look like the browser that we are.
const websiteHeaders = (language: string): Record<string, string> => ({
  'user-agent': named(faceOf(), OUR_NAME).userAgent,
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': language,
})

/** Decodes a page in the charset that a browser would use (WHATWG HTML, "determining the character encoding"). */
export function decodeText(body: Buffer, contentType: string): string {
  const label = CHARSET.exec(contentType)?.[1]
  const declared = label === undefined ? {} : { transportLayerEncodingLabel: label }
  return new TextDecoder(sniffEncoding(body, { ...declared, defaultEncoding: 'UTF-8' })).decode(body)
}

/** Lets one piece of work a host run at a time. */
export type HostTurns = {
  /** Runs the work once all that was asked for this host before is over. */
  run<T>(host: string, work: () => Promise<T>): Promise<T>
}

/** Turns of no host yet. */
export function createHostTurns(): HostTurns {
  const last = new Map<string, Promise<unknown>>()
  return {
    run(host, work) {
      const mine = (last.get(host) ?? Promise.resolve()).then(work, work)
      last.set(host, mine)
      const forget = () => {
        if (last.get(host) === mine) last.delete(host)
      }
      mine.then(forget, forget)
      return mine
    },
  }
}

// Its types say that it is a module with a default export, which it is not.
const robotsParser: typeof robots.default = createRequire(import.meta.url)('robots-parser')

/** By this name websites know us, in robots.txt and in their logs. */
export const OUR_NAME = 'Placefleet'

type Rules = (url: URL) => boolean

const ALL: Rules = () => true
const NONE: Rules = () => false

/**
 * Obeys the robots.txt of each host, which is fetched once (RFC 9309): without one everything is allowed, and nothing
 * while the host answers with an error of its own. Where no answer comes, the page itself will show what is wrong.
 */
export function createRobots(get: GetPage): MayFetch {
  const known = new Map<string, Promise<Rules>>()
  return async (url, signal) => {
    const rules = known.get(url.origin) ?? readRobots(new URL('/robots.txt', url), get, signal)
    known.set(url.origin, rules)
    return (await rules)(url)
  }
}

async function readRobots(address: URL, get: GetPage, signal: AbortSignal): Promise<Rules> {
  try {
    const { status, text } = await get(address, signal)
    if (status >= 500) return NONE
    if (status < 200 || status > 299) return ALL
    const parser = robotsParser(address.href, text)
    return (url) => parser.isAllowed(url.href, OUR_NAME) !== false
  } catch {
    signal.throwIfAborted()
    return ALL
  }
}
