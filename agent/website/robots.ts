import { type GetPage, MAX_REDIRECTS, type MayFetch } from './crawl.ts'
import { OUR_NAME } from './fetch-page.ts'
import { type RobotsRules, readRobotsRules } from './robots-rules.ts'

/** Less than a page has, so that a robots.txt that hangs does not cost the page. */
const TIMEOUT_MS = 3_000

const ALL: RobotsRules = () => true
const NONE: RobotsRules = () => false

/**
 * Obeys the robots.txt of each host and fetches it once (RFC 9309). Without one, every page is allowed. When the host
 * responds with a server error, no page is allowed. Without a response, every page is allowed, and fetching the page
 * shows the fault.
 */
export function createRobots(get: GetPage): MayFetch {
  const rulesOfOrigin = new Map<string, RobotsRules>()
  return async (url, signal) => {
    const rules = rulesOfOrigin.get(url.origin) ?? (await readRobots(new URL('/robots.txt', url), get, signal))
    rulesOfOrigin.set(url.origin, rules)
    return rules(url)
  }
}

async function readRobots(address: URL, get: GetPage, signal: AbortSignal): Promise<RobotsRules> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    const { status, text } = await followed(address, get, limited)
    if (status >= 500) return NONE
    if (status < 200 || status > 299) return ALL
    return readRobotsRules(text, OUR_NAME)
  } catch {
    signal.throwIfAborted()
    return ALL
  }
}

/** Fetches a robots.txt, which may have moved to another host. Returns a redirect after too many of them. */
async function followed(address: URL, get: GetPage, signal: AbortSignal) {
  let page = await get(address, signal)
  for (let redirects = 0; page.redirect && redirects < MAX_REDIRECTS; redirects++) {
    page = await get(page.redirect, signal)
  }
  return page
}
