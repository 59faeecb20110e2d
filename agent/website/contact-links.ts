import { registrableDomain } from '@placefleet/shared/web-presence/host-name'
import { MISLEADING_WORDS, PAGE_KINDS, PAGE_WORDS, type PageKind } from './contact-words.ts'
import { linkBase, MAX_URL, type Page, type PageElement } from './page.ts'

/** A link to a page of the same site that may hold contacts. */
export type ContactLink = { readonly url: URL; readonly kind: PageKind }

/** The most links of one page. */
const MAX_CONTACT_LINKS = 5

const MAX_LINKS_JUDGED = 5_000
const MAX_TEXT = 120
const MARKS = /\p{M}/gu
const SEPARATORS = /[^\p{L}\p{N}\p{M}']+/u
// Letters that NFKD does not split into letter and mark.
const UNMARKED: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', '’': "'", ʼ: "'" }
const LATIN = /^[a-z'-]+$/
const NO_PAGE =
  /\.(?:pdf|jpe?g|png|gif|svg|webp|zip|rar|7z|docx?|xlsx?|pptx?|mp[34]|avi|mov|ics|vcf|css|js|xml|rss|apk|exe)$/i
// WHATWG HTML, "shared declarative refresh steps".
const REFRESH = /^\s{0,9}[\d.]{1,9}(?:\s{0,9}[;,]|\s)\s{0,9}(?:url\s{0,9}=\s{0,9})?["']?([^"']{1,2048})/i

/**
 * Finds the links of a page that most likely lead to contacts, the best first: frames and redirects of the page itself,
 * then contact, imprint, about and privacy pages. Words of the link text or path decide, in the 35 languages. Returns
 * http(s) links on the same registrable domain, each page once, without the page itself. Pure. Never throws.
 */
export function contactLinks(page: Page, pageUrl: URL): ContactLink[] {
  const best = new Map<string, ContactLink>()
  const base = linkBase(page, pageUrl)
  for (const element of page.elements.filter(leadsOn).slice(0, MAX_LINKS_JUDGED)) {
    const link = judge(element, base, pageUrl)
    const key = link && pageKey(link.url)
    if (!key || key === pageKey(pageUrl)) continue
    const before = best.get(key)
    if (!before || rank(link.kind) < rank(before.kind)) best.set(key, link)
  }
  const ranked = [...best.values()].toSorted((a, b) => rank(a.kind) - rank(b.kind))
  return ranked.slice(0, MAX_CONTACT_LINKS)
}

/** Returns a key that is equal for all spellings of a page's URL, so that no page is fetched twice. */
export function pageKey(url: URL): string {
  const host = url.hostname.replace(/^www\./, '')
  return `${host}:${url.port}${url.pathname.replace(/\/+$/, '')}${url.search}`
}

function rank(kind: PageKind): number {
  return PAGE_KINDS.indexOf(kind)
}

function leadsOn({ name, attributes }: PageElement): boolean {
  if (name === 'meta') return /^refresh$/i.test(attributes['http-equiv'] ?? '')
  return name === 'frame' || ((name === 'a' || name === 'area') && attributes.href !== undefined)
}

function judge({ name, attributes, text }: PageElement, base: URL, pageUrl: URL): ContactLink | undefined {
  const frame = name === 'frame' || name === 'meta'
  const target =
    name === 'meta' ? (REFRESH.exec(attributes.content ?? '')?.[1] ?? '') : (attributes.src ?? attributes.href ?? '')
  const url = target === '' || target.length > MAX_URL ? null : URL.parse(target.trim(), base.href)
  if (!url || !isPageOf(url, pageUrl)) return undefined
  if (frame) return { url, kind: 'frame' }
  const labels = [text, attributes.title ?? '', attributes['aria-label'] ?? '']
  const kind = kindOf(labels.map((label) => label.slice(0, MAX_TEXT)).join(' ')) ?? kindOfPath(url)
  return kind && { url, kind }
}

function isPageOf(url: URL, pageUrl: URL): boolean {
  const sameSite = registrableDomain(url.hostname) === registrableDomain(pageUrl.hostname)
  return /^https?:$/.test(url.protocol) && sameSite && !NO_PAGE.test(url.pathname)
}

function readablePath(url: URL): string {
  try {
    return decodeURIComponent(url.pathname + url.search)
  } catch {
    return url.pathname // another encoding than UTF-8: its words cannot be read
  }
}

export const kindOfPath = (url: URL): PageKind | undefined => kindOf(readablePath(url))

/** The kind of page, by the words of a link text or path. */
function kindOf(text: string): PageKind | undefined {
  const words = unmarked(text)
    .split(SEPARATORS)
    .filter((word) => word !== '')
  const phrase = `-${words.join('-')}-`.replace(MISLEADING, '')
  return KINDS.find(
    ({ parts, whole }) =>
      parts.some((part) => phrase.includes(part)) || whole.some((word) => phrase.includes(`-${word}-`)),
  )?.kind
}

// A short Latin word must be a whole word: "steam" does not count as "team".
const KINDS = PAGE_KINDS.flatMap((kind) => {
  const words = kind === 'frame' ? [] : PAGE_WORDS[kind].map(unmarked)
  const isPart = (word: string) => word.length >= 7 || !LATIN.test(word)
  return { kind, parts: words.filter(isPart), whole: words.filter((word) => !isPart(word)) }
})

const MISLEADING = new RegExp(MISLEADING_WORDS.map(unmarked).join('|'), 'g')

function unmarked(text: string): string {
  const letters = text.toLowerCase().normalize('NFKD').replace(MARKS, '').normalize('NFC')
  return letters.replace(/[ıłøđ’ʼ]/g, (letter) => UNMARKED[letter] ?? letter)
}
