import { brandOf, hasPublicSuffix, isWithin, registrableDomain } from '@placefleet/shared/web-presence/host-name'
import {
  FREE_MAIL_BRANDS,
  FREE_MAIL_HOSTS,
  JUNK_DOMAINS,
  PLACEHOLDER_DOMAINS,
  PLACEHOLDER_NAMES,
} from './email-hosts.ts'

const MAX_LOCAL = 64
const MAX_DOMAIN = 253
const MAX_LABELS = 8 // mail hosts have two to five
const LOCAL = /^[a-z0-9](?:[a-z0-9._%+'&-]*[a-z0-9_])?$/
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u
// Registries refuse labels that mix these: they only serve to look like another name.
const LATIN = /\p{Script=Latin}/u
const LOOK_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u
const FILE_NAME = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|css|m?js|map|json|woff2?|ttf|eot|pdf|html?|php|mp4|webm)$/
const RETINA = /^\d+x\./
const HASH = /^(?:[0-9a-f]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/**
 * The address in lower case when it could reach a business, else undefined. `site` is the registrable domain of the
 * page it was on: its own addresses may also be on a suffix of a private network. Words run into the end of the domain
 * (`shop.de.Telefon`, `shop.deTelefon`) are dropped; file names, hashes, examples and addresses of trackers are refused.
 */
export function validAddress(text: string, site: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text
    .slice(0, at)
    .toLowerCase()
    .replace(/^[.%+'&-]+/, '')
  const domain = text.slice(at + 1, at + 1 + MAX_DOMAIN + 1)
  if (local.length > MAX_LOCAL || !LOCAL.test(local) || local.includes('..') || HASH.test(local)) return undefined
  const host = deliverableHost(domain.toLowerCase(), site) ?? deliverableHost(beforeCapital(domain), site)
  if (!host || isJunk(local, host, site)) return undefined
  return `${local}@${host}`
}

function deliverableHost(domain: string, site: string): string | undefined {
  const trimmed = domain.replace(/[.-]+$/, '')
  if (trimmed.length > MAX_DOMAIN || FILE_NAME.test(trimmed) || RETINA.test(trimmed)) return undefined
  const labels = trimmed.split('.', MAX_LABELS + 1)
  if (labels.length > MAX_LABELS) return undefined
  for (let count = labels.length; count >= 2; count -= 1) {
    const host = labels.slice(0, count).join('.')
    if (labels.slice(0, count).every(isLabel) && reaches(host, site)) return host
  }
  return undefined
}

// "shop.deTelefon": the next word began without a space.
function beforeCapital(domain: string): string {
  return domain.replace(/(?<=[a-z])[A-Z].*$/, '').toLowerCase()
}

function isLabel(label: string): boolean {
  return label.length <= 63 && LABEL.test(label) && !(LATIN.test(label) && LOOK_ALIKE.test(label))
}

function reaches(host: string, site: string): boolean {
  const ascii = asciiHost(host)
  return ascii !== undefined && (hasPublicSuffix(ascii) || isWithin(ascii, site))
}

function asciiHost(host: string): string | undefined {
  return URL.parse(`http://${host}`)?.hostname
}

function isJunk(local: string, host: string, site: string): boolean {
  if (JUNK_DOMAINS.some((domain) => isWithin(host, domain))) return true
  if (isOwn(host, site)) return false
  const { brand } = brandOf(host) ?? {}
  return PLACEHOLDER_NAMES.has(local) || PLACEHOLDER_DOMAINS.has(host) || brand === 'example' || brand === 'yourdomain'
}

function isOwn(host: string, site: string): boolean {
  return registrableDomain(asciiHost(host) ?? host) === site
}

/** Whether an address is on the registrable domain of the site it was found on. */
export function isOwnAddress(address: string, site: string): boolean {
  return isOwn(address.slice(address.lastIndexOf('@') + 1), site)
}

/** The addresses once each, in lower case: the site's own domain first, then free-mail hosts, then others. */
export function sortAddresses(addresses: Iterable<string>, site: string): string[] {
  const rank = (address: string) => (isOwnAddress(address, site) ? 0 : isFreeMail(address) ? 1 : 2)
  return [...new Set(addresses)]
    .map((address) => ({ address, rank: rank(address) }))
    .toSorted(byRank)
    .map(addressOf)
}

type Ranked = { readonly address: string; readonly rank: number }

const byRank = (a: Ranked, b: Ranked) => a.rank - b.rank
const addressOf = ({ address }: Ranked) => address

function isFreeMail(address: string): boolean {
  const host = address.slice(address.lastIndexOf('@') + 1)
  return FREE_MAIL_HOSTS.has(host) || FREE_MAIL_BRANDS.has(brandOf(host)?.brand ?? '')
}
