import { abortable } from '@placefleet/shared/timing'
import { registrableDomain } from '@placefleet/shared/web-presence/host-name'
import { readWebsite } from '@placefleet/shared/web-presence/website-url'
import { type ContactLink, contactLinksOf, pageKey } from './contact-links.ts'
import { PAGE_KINDS, type PageKind } from './contact-words.ts'
import { type Contacts, contactsOf, mergeContacts } from './contacts.ts'
import { isOwnAddress, type OwnSites, sortAddresses } from './email-address.ts'
import { emailsOf, MAX_EMAILS } from './emails.ts'
import { readPage } from './page.ts'
import { showsMoreByScript } from './scripted.ts'
import { mayBeOwn } from './worth-crawling.ts'

/** An answer of a web server after redirects: body decoded and cut off at a cap by whoever fetched it. */
export type FetchedPage = {
  readonly status: number
  readonly url: URL | string
  readonly contentType: string
  readonly text: string
}

/** Fetches one page through the egress guard; rejects when there is no answer, and when `signal` is aborted. */
export type GetPage = (url: URL, signal: AbortSignal) => Promise<FetchedPage>

/**
 * How the visit ended: the first page was read; it cannot be read (no answer, an error, no HTML, forwarded to a
 * platform); the site turned us away; nothing came in time.
 */
export type CrawlOutcome = 'ok' | 'broken' | 'blocked' | 'timeout'

/** What a website says about how to reach the business; `pages` counts those read. */
export type Crawl = Contacts & { readonly emails: string[]; readonly pages: number; readonly outcome: CrawlOutcome }

/** Milliseconds and pages a visit may take. */
export type CrawlLimits = { readonly pages: number; readonly pageMs: number; readonly totalMs: number }

/** A contact page is nearly always one click away, and a slow site must not hold up the others. */
export const CRAWL_LIMITS: CrawlLimits = { pages: 6, pageMs: 8_000, totalMs: 20_000 }

type Options = {
  readonly get: GetPage
  /** Fetches a page as its scripts draw it, where that may show an address and nothing else did. */
  readonly getRendered?: GetPage | undefined
  readonly signal: AbortSignal
  readonly limits?: CrawlLimits
}

/** Pages that are drawn at most; each costs as much as dozens that are only fetched. */
const MOST_RENDERED = 2

// Where an address on the site's own domain stands, it is the one to write to.
const ANSWERING: ReadonlySet<PageKind> = new Set(['contact', 'imprint'])
const BLOCKED = new Set([401, 403, 407, 429, 451, 503])
const ERROR_NAMES = new Set(['TimeoutError', 'AbortError'])
const HTML = /^\s*(?:$|text\/html|application\/xhtml\+xml|text\/plain)/i

/**
 * Visits a business's website: the listed page, then its most likely contact pages, until an address on the site's own
 * domain was found on a contact or imprint page or a limit is reached. If none was found at all, and a page may show
 * one by script, that page and what it leads to are drawn. Whatever the site does ends in an outcome; only
 * an abort of `signal` makes it reject, with the signal's reason.
 */
export async function crawlWebsite(
  website: string,
  { get, getRendered, signal, limits = CRAWL_LIMITS }: Options,
): Promise<Crawl> {
  const listed = readWebsite(website)
  if (listed.kind !== 'url') return result([], [], 'broken')
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)])
  const site = registrableDomain(listed.url.hostname)
  const fetch: Fetch = (url) => fetchPage(url, site, get, deadline, limits.pageMs)
  const home = await fetchHome(listed.url, fetch)
  signal.throwIfAborted()
  if (!home.ok) return result([], [], home.outcome)
  const sites = [registrableDomain(home.page.url.hostname), site]
  const read = await follow(home.page, sites, fetch, deadline, limits.pages)
  const scripted = read.some(({ emails }) => emails.length > 0) ? undefined : read.find((page) => page.scripted)
  if (scripted && getRendered) {
    const draw: Fetch = (url) => fetchPage(url, site, getRendered, deadline, limits.pageMs)
    const drawn = await draw(scripted.url)
    if (drawn.ok) read.push(...(await follow(drawn.page, sites, draw, deadline, MOST_RENDERED)))
  }
  signal.throwIfAborted()
  return result(read, sites, 'ok')
}

type ReadPage = {
  readonly url: URL
  readonly emails: string[]
  readonly contacts: Contacts
  readonly links: ContactLink[]
  /** Whether its scripts may show what it does not. */
  readonly scripted: boolean
}
type Fetched = { readonly ok: true; readonly page: ReadPage } | { readonly ok: false; readonly outcome: CrawlOutcome }
type Fetch = (url: URL) => Promise<Fetched>

// A listing often names a page that is long gone; the site's front page is still there.
async function fetchHome(url: URL, fetch: Fetch): Promise<Fetched> {
  const home = await fetch(url)
  const front = new URL('/', url)
  return home.ok || home.outcome !== 'broken' || pageKey(front) === pageKey(url) ? home : fetch(front)
}

async function follow(
  home: ReadPage,
  sites: OwnSites,
  fetch: Fetch,
  deadline: AbortSignal,
  maxPages: number,
): Promise<ReadPage[]> {
  const read = [home]
  const seen = new Set([pageKey(home.url)])
  let waiting = home.links
  for (let tries = 1; tries < maxPages && !deadline.aborted; tries += 1) {
    const [next, ...others] = waiting.filter(({ url }) => !seen.has(pageKey(url)))
    if (!next) break
    seen.add(pageKey(next.url))
    const fetched = await fetch(next.url)
    waiting = others
    if (!fetched.ok || (next.kind !== 'frame' && !isOnSite(fetched.page.url, sites))) continue
    read.push(fetched.page)
    if (ANSWERING.has(next.kind) && fetched.page.emails.some((email) => isOwnAddress(email, sites))) break
    if (next.kind === 'frame') waiting = [...others, ...fetched.page.links].toSorted(byKind)
  }
  return read
}

// "/kontakt" of a practice may forward to where it takes its appointments.
function isOnSite({ hostname }: URL, sites: OwnSites): boolean {
  return sites.includes(registrableDomain(hostname))
}

const byKind = (a: ContactLink, b: ContactLink) => PAGE_KINDS.indexOf(a.kind) - PAGE_KINDS.indexOf(b.kind)

async function fetchPage(
  url: URL,
  site: string,
  get: GetPage,
  deadline: AbortSignal,
  pageMs: number,
): Promise<Fetched> {
  const signal = AbortSignal.any([deadline, AbortSignal.timeout(pageMs)])
  try {
    return judge(await abortable(get(url, signal), signal), site) // a client may not watch its signal
  } catch (error) {
    return { ok: false, outcome: signal.aborted || isTimeout(error) ? 'timeout' : 'broken' }
  }
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ERROR_NAMES.has(error.name) || ('fault' in error && error.fault === 'timeout')
}

function judge({ status, url, contentType, text }: FetchedPage, site: string): Fetched {
  if (BLOCKED.has(status)) return { ok: false, outcome: 'blocked' }
  const address = typeof url === 'string' ? URL.parse(url) : url
  if (status < 200 || status > 299 || !address || !HTML.test(contentType)) return { ok: false, outcome: 'broken' }
  if (!mayBeOwn(address, site)) return { ok: false, outcome: 'broken' }
  const page = readPage(text)
  const emails = emailsOf(page, [registrableDomain(address.hostname), site])
  const contacts = contactsOf(page, address)
  const links = contactLinksOf(page, address)
  return { ok: true, page: { url: address, emails, contacts, links, scripted: showsMoreByScript(page) } }
}

function result(read: readonly ReadPage[], sites: OwnSites, outcome: CrawlOutcome): Crawl {
  const found = read.flatMap((page) => page.emails)
  const emails = sortAddresses(found, sites).slice(0, MAX_EMAILS)
  return { emails, ...mergeContacts(read.map(({ contacts }) => contacts)), pages: read.length, outcome }
}
