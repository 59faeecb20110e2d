import { type AllowHosts, checkTarget } from '@placefleet/shared/egress/target'
import { abortable, monotonicNow } from '@placefleet/shared/timing'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import { registrableDomain } from '@placefleet/shared/web-presence/host-name'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import { readWebsite } from '@placefleet/shared/web-presence/website-url'
import { type ContactLink, contactLinks, kindOfPath, pageKey } from './contact-links.ts'
import { PAGE_KINDS, type PageKind } from './contact-words.ts'
import { type Contacts, contactsOf, mergeContacts } from './contacts.ts'
import { isFreeMail, isOwnAddress, type OwnSites, sortAddresses } from './email-address.ts'
import { emailsOf, MAX_EMAILS } from './emails.ts'
import { readPage, showsMoreByScript } from './page.ts'

/** The answer of a web server. The fetcher decodes the text and caps its length. */
export type FetchedPage = {
  readonly status: number
  readonly url: URL | string
  /** Where a redirect leads. */
  readonly redirect?: URL | undefined
  readonly contentType: string
  readonly text: string
}

/** Fetches one page without following redirects. Rejects without an answer, and when `signal` aborts. */
export type GetPage = (url: URL, signal: AbortSignal) => Promise<FetchedPage>

/** Rejects only when `signal` aborts. */
export type MayFetch = (url: URL, signal: AbortSignal) => Promise<boolean>

/**
 * The result of the crawl. `ok`: the first page was read. `broken`: it cannot be read (no answer, an error, no HTML, a
 * redirect to a platform). `blocked`: the site refuses us. `timeout`: no answer in time. `robots`: its robots.txt
 * forbids us the page.
 */
export type CrawlOutcome = 'ok' | 'broken' | 'blocked' | 'timeout' | 'robots'

/** The contacts on a business's website. `pages` counts the pages read. */
export type Crawl = Contacts & { readonly emails: string[]; readonly pages: number; readonly outcome: CrawlOutcome }

/** Runs the work after all earlier work for this host. */
export type InTurn = <T>(host: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/** The limits of a crawl: milliseconds and pages. The time that pages wait for their host's turn does not count. */
export type CrawlLimits = { readonly pages: number; readonly pageMs: number; readonly totalMs: number }

/** A contact page is usually one click away, and a slow site must not delay other places. */
export const CRAWL_LIMITS: CrawlLimits = { pages: 6, pageMs: 8_000, totalMs: 20_000 }

type Options = {
  /** The country of the place (ISO-2). It distinguishes national from international telephone numbers. */
  readonly country?: string | undefined
  readonly get: GetPage
  /** Called before each page. Absent: every page may be fetched. */
  readonly mayFetch?: MayFetch | undefined
  /** Fetches a page with its scripts run. Used when no address was found and scripts may show one. */
  readonly getRendered?: GetPage | undefined
  /** Runs each page in its host's turn. Absent: at once. */
  readonly inTurn?: InTurn
  readonly signal: AbortSignal
  readonly limits?: CrawlLimits | undefined
}

/** The most redirects in a row. */
export const MAX_REDIRECTS = 5
/** The most pages drawn in Chromium: each costs as much as dozens of fetched pages. */
const MOST_RENDERED = 2

// The crawl ends when one of these pages shows an address on the own sites.
const ANSWERING: ReadonlySet<PageKind> = new Set(['contact', 'imprint'])
const BLOCKED = new Set([401, 403, 407, 429, 451, 503])
const ERROR_NAMES = new Set(['TimeoutError', 'AbortError'])
const HTML = /^\s*(?:$|text\/html|application\/xhtml\+xml|text\/plain)/i

/**
 * Crawls a business's website: the listed page, then its most likely contact pages, until a contact or imprint page
 * shows an address on the site's own domain, or a limit is reached. If no address was found and a page may show one by
 * script, draws that page and the pages that it links to. Rejects only with the reason of an abort of `signal`.
 */
export async function crawlWebsite(
  website: string,
  { get, mayFetch = async () => true, getRendered, country, inTurn = atOnce, signal, limits = CRAWL_LIMITS }: Options,
): Promise<Crawl> {
  const listed = readWebsite(website)
  if (listed.kind !== 'url') return nothing('broken')
  const site = registrableDomain(listed.url.hostname)
  const visit: Visit = { site, mayFetch, inTurn, signal, limits, leftMs: limits.totalMs }
  const fetch: Fetch = (url, kind) => fetchPage(url, kind, get, visit)
  const home = await fetchHome(listed.url, fetch)
  signal.throwIfAborted()
  if (typeof home === 'string') return nothing(home)
  const sites = [registrableDomain(home.url.hostname), site]
  const read = await follow(home, sites, fetch, visit, limits.pages)
  const scripted = read.some(({ emails }) => emails.length > 0) ? undefined : read.find((page) => page.scripted)
  if (scripted && getRendered) {
    const draw: Fetch = (url, kind) => fetchPage(url, kind, getRendered, visit)
    const drawn = await draw(scripted.url)
    if (typeof drawn !== 'string') read.push(...(await follow(drawn, sites, draw, visit, MOST_RENDERED)))
  }
  signal.throwIfAborted()
  return contentOf(read, sites, country)
}

type ReadPage = {
  readonly url: URL
  readonly emails: string[]
  readonly contacts: Contacts
  readonly links: ContactLink[]
  /** Whether its scripts may show an address. */
  readonly scripted: boolean
}
/** Fetches and reads a page. Returns the outcome where that is not possible. */
type Fetch = (url: URL, kind?: PageKind) => Promise<ReadPage | CrawlOutcome>

// The listed page is often missing while the front page still exists.
async function fetchHome(url: URL, fetch: Fetch): Promise<ReadPage | CrawlOutcome> {
  const home = await fetch(url)
  const front = new URL('/', url)
  return home !== 'broken' || pageKey(front) === pageKey(url) ? home : fetch(front)
}

async function follow(
  home: ReadPage,
  sites: OwnSites,
  fetch: Fetch,
  visit: Visit,
  maxPages: number,
): Promise<ReadPage[]> {
  const read = [home]
  const visited = new Set([pageKey(home.url)])
  let waiting = home.links
  for (let tries = 1; tries < maxPages && visit.leftMs > 0 && !visit.signal.aborted; tries += 1) {
    const [next, ...rest] = waiting.filter(({ url }) => !visited.has(pageKey(url)))
    if (!next) break
    visited.add(pageKey(next.url))
    const fetched = await fetch(next.url, next.kind)
    waiting = rest
    // A contact page may redirect to a booking platform.
    const isOnSite = typeof fetched !== 'string' && sites.includes(registrableDomain(fetched.url.hostname))
    if (typeof fetched === 'string' || (next.kind !== 'frame' && !isOnSite)) continue
    read.push(fetched)
    if (ANSWERING.has(next.kind) && fetched.emails.some((email) => isOwnAddress(email, sites))) break
    if (next.kind === 'frame') waiting = [...rest, ...fetched.links].toSorted(byKind)
  }
  return read
}

const byKind = (a: ContactLink, b: ContactLink) => PAGE_KINDS.indexOf(a.kind) - PAGE_KINDS.indexOf(b.kind)

type Visit = {
  readonly site: string
  readonly mayFetch: MayFetch
  readonly inTurn: InTurn
  readonly signal: AbortSignal
  readonly limits: CrawlLimits
  /** The time of the crawl. It passes only while a page is fetched. */
  leftMs: number
}

const atOnce: InTurn = (_host, _signal, work) => work()

/** Each redirect takes its host’s turn and obeys its robots.txt. A platform is not asked. */
async function fetchPage(
  url: URL,
  kind: PageKind | undefined,
  get: GetPage,
  visit: Visit,
): Promise<ReadPage | CrawlOutcome> {
  let next: URL | undefined = url
  for (let redirects = 0; next && redirects <= MAX_REDIRECTS && mayBeOwn(next, visit.site); redirects++) {
    const page: FetchedPage | CrawlOutcome = await fetchHop(next, get, visit)
    if (typeof page === 'string') return page
    if (!page.redirect) return judge(page, visit.site, kind)
    next = page.redirect
  }
  return 'broken'
}

function fetchHop(url: URL, get: GetPage, visit: Visit): Promise<FetchedPage | CrawlOutcome> {
  const work = async () => {
    const from = monotonicNow()
    const pageMs = Math.max(0, Math.ceil(Math.min(visit.limits.pageMs, visit.leftMs)))
    const limited = AbortSignal.any([visit.signal, AbortSignal.timeout(pageMs)])
    try {
      if (!(await abortable(visit.mayFetch(url, limited), limited))) return 'robots'
      return await abortable(get(url, limited), limited) // a client may ignore its signal
    } catch (error) {
      return limited.aborted || isTimeout(error) ? 'timeout' : 'broken'
    } finally {
      visit.leftMs -= monotonicNow() - from
    }
  }
  return visit.inTurn(url.host, visit.signal, work).catch(() => 'timeout')
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ERROR_NAMES.has(error.name) || ('fault' in error && error.fault === 'timeout')
}

function judge(
  { status, url, contentType, text }: FetchedPage,
  site: string,
  kind: PageKind | undefined,
): ReadPage | CrawlOutcome {
  if (BLOCKED.has(status)) return 'blocked'
  const address = URL.parse(String(url))
  const isPage = status >= 200 && status <= 299 && HTML.test(contentType)
  if (!address || !isPage || !mayBeOwn(address, site)) return 'broken'
  const page = readPage(text)
  const sites = [registrableDomain(address.hostname), site]
  const isAboutPrivacy = (kind ?? kindOfPath(address)) === 'privacy'
  // Such a page names authorities and vendors.
  const isLikely = (email: string) => !isAboutPrivacy || isOwnAddress(email, sites) || isFreeMail(email)
  const emails = emailsOf(page, sites).filter(isLikely)
  return {
    url: address,
    emails,
    contacts: contactsOf(page, address),
    links: contactLinks(page, address),
    scripted: showsMoreByScript(page),
  }
}

function nothing(outcome: CrawlOutcome): Crawl {
  return { emails: [], social_links: {}, phones: [], pages: 0, outcome }
}

function contentOf(read: readonly ReadPage[], sites: OwnSites, country: string | undefined): Crawl {
  const emails = sortAddresses(
    read.flatMap((page) => page.emails),
    sites,
  ).slice(0, MAX_EMAILS)
  const contacts = read.map((page) => page.contacts)
  return { emails, ...mergeContacts(contacts, country), pages: read.length, outcome: 'ok' }
}

const OWN_PAGES: readonly WebPresence[] = ['has', 'builder']

/**
 * Returns whether a listed website may show addresses of the business: it is the business's own (tier `has` or
 * `builder`), or the operator exempts its host in `EGRESS_ALLOW_HOSTS`. A page on a platform shows the platform's
 * addresses, and the map site has none.
 */
export function isWorthCrawling(
  website: string | undefined,
  tier: WebPresence,
  { allowHosts: allow, base }: { readonly allowHosts: AllowHosts; readonly base: URL },
): boolean {
  const listed = readWebsite(website)
  if (listed.kind !== 'url' || listed.url.host === base.host) return false
  const target = checkTarget(listed.url, allow)
  return target.ok && (target.allowed || OWN_PAGES.includes(tier))
}

/**
 * Returns whether the page at the end of the redirects of `site` (a registrable domain) may be the business's own: not
 * on a platform or at a seller of domains. Internal hosts have no tier. They count only on `site`, whose host the
 * operator has exempted.
 */
function mayBeOwn(page: URL, site: string): boolean {
  const { tier } = classifyWebsite(page.href)
  return OWN_PAGES.includes(tier) || (tier === 'none' && registrableDomain(page.hostname) === site)
}
