import { brandOf, hasPublicSuffix, isWithin, registrableDomain } from '@placefleet/shared/web-presence/host-name'
import {
  AUTHORITIES,
  FREE_MAIL_BRANDS,
  FREE_MAIL_HOSTS,
  JUNK_DOMAINS,
  PLACEHOLDER_ADDRESSES,
  PLACEHOLDER_DOMAINS,
  PLACEHOLDER_NAMES,
  VENDOR_DOMAINS,
} from './email-hosts.ts'
import { EXAMPLE_BRAND, EXAMPLE_NAME, TEMPLATE_NAME, UNREAD_NAME } from './email-templates.ts'

const MAX_LOCAL = 64
const MAX_DOMAIN = 253
const MAX_LABELS = 8 // mail hosts have two to five
// A telephone number without a space before the name of a mailbox.
const AFTER_DIGITS =
  /^\d{2,15}(?=(?:info|kontakt|contact|contacto|contatto|office|mail|email|hello|praxis|hotel|service)$)/
const LOCAL = /^[a-z0-9](?:[a-z0-9._%+'&-]*[a-z0-9_])?$/
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u
// Registries reject labels that mix these scripts, because they imitate other names.
const LATIN = /\p{Script=Latin}/u
const LOOK_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u
const FILE_NAME = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|css|m?js|map|json|woff2?|ttf|eot|pdf|html?|php|mp4|webm)$/
const RETINA = /^\d+x\./
const HASH = /^(?:[0-9a-f]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The registrable domains of a business. The domain of its pages comes first. */
export type OwnSites = readonly string[]

/**
 * Checks an address and returns it in lower case. Drops a word that runs into the domain (`shop.de.Telefon`,
 * `shop.deTelefon`). Undefined for file names, hashes, examples and addresses of trackers, and for hosts without a
 * public suffix, unless they are on the own sites.
 */
export function validAddress(text: string, sites: OwnSites): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text
    .slice(0, at)
    .toLowerCase()
    .replace(/^[.%+'&-]+/, '')
    .replace(AFTER_DIGITS, '')
  const domain = text.slice(at + 1, at + 1 + MAX_DOMAIN + 1)
  if (local.length > MAX_LOCAL || !LOCAL.test(local) || local.includes('..') || HASH.test(local)) return undefined
  const host = deliverableHost(domain.toLowerCase(), sites) ?? deliverableHost(beforeCapital(domain), sites)
  if (!host || isJunk(local, host, sites)) return undefined
  return `${local}@${host}`
}

function deliverableHost(domain: string, sites: OwnSites): string | undefined {
  // "shop.de-Hotline": no ending has a hyphen, but for those in Punycode.
  const trimmed = domain.replace(/(?<=\.(?!xn--)\p{L}{2,24})-[^.]*$/u, '').replace(/[.-]+$/, '')
  if (trimmed.length > MAX_DOMAIN || FILE_NAME.test(trimmed) || RETINA.test(trimmed)) return undefined
  const labels = trimmed.split('.', MAX_LABELS + 1)
  if (labels.length > MAX_LABELS) return undefined
  for (let count = labels.length; count >= 2; count -= 1) {
    const host = labels.slice(0, count).join('.')
    if (labels.slice(0, count).every(isLabel) && reaches(host, sites)) return host
  }
  return undefined
}

// "shop.deTelefon": the next word follows without a space.
function beforeCapital(domain: string): string {
  return domain.replace(/(?<=[a-z])[A-Z].*$/, '').toLowerCase()
}

function isLabel(label: string): boolean {
  return label.length <= 63 && LABEL.test(label) && !(LATIN.test(label) && LOOK_ALIKE.test(label))
}

function reaches(host: string, sites: OwnSites): boolean {
  const ascii = asciiHost(host)
  return ascii !== undefined && (hasPublicSuffix(ascii) || sites.some((site) => isWithin(ascii, site)))
}

function asciiHost(host: string): string | undefined {
  return URL.parse(`http://${host}`)?.hostname
}

function isJunk(local: string, host: string, sites: OwnSites): boolean {
  if (JUNK_DOMAINS.some((domain) => isWithin(host, domain)) || UNREAD_NAME.test(local)) return true
  if (ownSite(host, sites) >= 0) return false
  const { brand = '' } = brandOf(host) ?? {}
  if (PLACEHOLDER_NAMES.has(local) || TEMPLATE_NAME.test(local) || PLACEHOLDER_ADDRESSES.has(`${local}@${host}`))
    return true
  if (isFreeMail(`${local}@${host}`)) return EXAMPLE_NAME.test(local)
  if (VENDOR_DOMAINS.some((domain) => isWithin(host, domain)) || AUTHORITIES.test(host)) return true
  return PLACEHOLDER_DOMAINS.has(host) || EXAMPLE_BRAND.test(brand) || TEMPLATE_NAME.test(brand)
}

function ownSite(host: string, sites: OwnSites): number {
  return sites.indexOf(registrableDomain(asciiHost(host) ?? host))
}

export function isOwnAddress(address: string, sites: OwnSites): boolean {
  return ownSite(hostOf(address), sites) >= 0
}

/** Sorts addresses and removes duplicates: own sites in their order, then free-mail hosts, then others. */
export function sortAddresses(addresses: Iterable<string>, sites: OwnSites): string[] {
  return [...new Set(addresses)]
    .map((address) => [rankOf(address, sites), address] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, address]) => address)
}

function rankOf(address: string, sites: OwnSites): number {
  const own = ownSite(hostOf(address), sites)
  return own >= 0 ? own : sites.length + (isFreeMail(address) ? 0 : 1)
}

/** Returns whether an address is at a mail provider for people and small businesses. */
export function isFreeMail(address: string): boolean {
  const host = hostOf(address)
  return FREE_MAIL_HOSTS.has(host) || FREE_MAIL_BRANDS.has(brandOf(host)?.brand ?? '')
}

/** Names of a role instead of a person, in the languages of the crawl. */
const ROLES =
  /^(?:accueil|admin|administration|anfrage|booking|bookings|bonjour|buchung|buero|ciao|contact|contacto|contatti|direccion|email|empfang|enquiries|hallo|hello|help|hi|hola|hotel|hr|info|information|inquiries|jobs|kanzlei|karriere|kontakt|kundenservice|mail|marketing|office|post|praxis|press|presse|reception|recepcion|reservation|reservations|reservierung|restaurant|sales|secretariat|segreteria|service|shop|studio|support|team|ventas|vertrieb|verwaltung|webmaster|welcome)(?![a-z])/

/** Returns whether an address names a role (`info@`, `office.berlin@`), not a person. */
export const isGeneric = (address: string): boolean => ROLES.test(address)

export function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
