import { createRequire } from 'node:module'
import type robots from 'robots-parser'
import type { GetPage, MayFetch } from './crawl.ts'

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
