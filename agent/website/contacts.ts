import { asciiDigits } from '@placefleet/shared/text'
import { matchesHost } from '@placefleet/shared/web-presence/host-name'
import { unwrapOnce } from '@placefleet/shared/web-presence/unwrap'
import { internationalNumber } from '../maps/answers/phone-number.ts'
import { decodePercent, plainText } from './email-codes.ts'
import { linkBase, MAX_URL, type Page } from './page.ts'
import { MAKERS, NETWORKS, type Network, NO_PROFILE, profileWithin } from './social-networks.ts'
import { readStructuredData } from './structured-data.ts'

/** The contacts of a business, except e-mail addresses. */
export type Contacts = {
  /** The first profile a page links to, by network: `{ facebook: 'https://www.facebook.com/x' }`. */
  readonly social_links: Record<string, string>
  /** Telephone numbers as written, in ASCII digits, each once. */
  readonly phones: string[]
}

const PHONE_LINK = /^\s*(?:tel|callto):(?:\/\/)?/i
const TRACKING = /^(?:utm_|fbclid$|igsh|gclid$|ref$|hl$|lang$|mibextid$)/i

/** Finds the social profiles that a page links to, and its telephone numbers (`tel:` links, JSON-LD). Never throws. */
export function contactsOf(page: Page, pageUrl: URL): Contacts {
  const links = page.elements.flatMap(({ name, attributes }) => {
    const link = name === 'iframe' ? attributes.src : attributes.href // a network's own box
    return link ? [link] : []
  })
  const { phones, sameAs } = readStructuredData(page.jsonLd)
  const numbers = links
    .filter((href) => PHONE_LINK.test(href))
    .map((href) => decodePercent(href.replace(PHONE_LINK, '')))
  return {
    social_links: socialLinks([...links, ...sameAs], linkBase(page, pageUrl)),
    phones: distinctPhones([...numbers, ...phones]),
  }
}

/** Merges the contacts of several pages of a site. Earlier pages win. `country` (ISO-2) is the place's. */
export function mergeContacts(pages: readonly Contacts[], country?: string): Contacts {
  const links = pages.toReversed().flatMap(({ social_links }) => Object.entries(social_links))
  const phones = distinctPhones(
    pages.flatMap((page) => page.phones),
    country,
  )
  return { social_links: Object.fromEntries(links), phones }
}

function socialLinks(links: readonly string[], base: URL): Record<string, string> {
  const profiles = new Map<string, string>()
  for (const link of links) {
    const url = targetOf(link, base)
    const network = url && networkOf(url)
    if (network && !profiles.has(network.name) && isProfile(url, network)) profiles.set(network.name, cleaned(url))
  }
  return Object.fromEntries(profiles)
}

// Links copied from an app are often wrapped: https://l.facebook.com/l.php?u=…
function targetOf(link: string, base: URL): URL | null {
  const url = link.length > MAX_URL ? null : URL.parse(link, base.href)
  if (!url) return null
  const target = unwrapOnce(url)
  const unwrapped = target === undefined ? url : URL.parse(target)
  return unwrapped && profileWithin(unwrapped)
}

function networkOf(url: URL): Network | undefined {
  if (!/^https?:$/.test(url.protocol) || url.href.length > MAX_URL) return undefined
  return NETWORKS.find(({ hosts }) => hosts.some((host) => matchesHost(url.hostname, host)))
}

function isProfile(url: URL, { name, skip, posts = [], shared }: Network): boolean {
  if (name === 'whatsapp' && url.pathname.startsWith('/send')) return url.searchParams.has('phone')
  const segments = url.pathname
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
  const [first = '', second = ''] = segments
  const isPost = segments.slice(1, -1).some((segment) => posts.includes(segment))
  if (first === '' || isPost) return false
  if (first === 'profile.php') return url.searchParams.has('id')
  if (name === 'vimeo' && /^\d+$/.test(first)) return false // a video; profiles are user123 or a name
  if (first === shared?.first) return second !== '' && second.length >= 6 && !shared.except.includes(second)
  const handle = second === '' ? first.replace(/^@/, '') : second
  return !NO_PROFILE.has(first) && !skip.includes(first) && !MAKERS.has(handle)
}

function cleaned(url: URL): string {
  const clean = new URL(url)
  clean.hash = ''
  for (const key of [...clean.searchParams.keys()]) if (TRACKING.test(key)) clean.searchParams.delete(key)
  return clean.href
}

const MAX_PHONES = 20
const MAX_TEXT = 200
const PHONE = /^\+?[\d\s()./\-–]{3,40}$/
const HYPHENS = /[\u2010\u2012\u2212]/g
// Arabic, Persian, Devanagari and Thai.
const OTHER_ZEROS = [0x660, 0x6f0, 0x966, 0xe50]

/**
 * Finds the telephone numbers among texts, as written but in ASCII digits, each once. With `country` (ISO-2), national
 * and international spellings count as one number: `030 123456` and `+49 30 123456`.
 */
function distinctPhones(texts: readonly string[], country?: string): string[] {
  const byNumber = new Map<string, string>()
  for (const text of texts) {
    const phone = plainPhone(text)
    const digits = phone.replace(/\D/g, '').replace(/^00/, '')
    if (!PHONE.test(phone) || digits.length < 3 || digits.length > 15) continue
    const key = internationalNumber(phone, country) ?? (/^(?:\+|00)/.test(phone) ? `+${digits}` : digits)
    if (!byNumber.has(key)) byNumber.set(key, phone)
    if (byNumber.size === MAX_PHONES) break
  }
  return [...byNumber.values()]
}

function plainPhone(text: string): string {
  const [number = ''] = plainText(text.slice(0, MAX_TEXT)).split(/[;?,]/, 1)
  return asciiDigits(number, OTHER_ZEROS).replace(HYPHENS, '-').replace(/\s+/g, ' ').trim()
}
