import { isOwnAddress, type OwnSites, sortAddresses, validAddress } from './email-address.ts'
import { decodeBase64, decodeCloudflare, decodePercent, decodeTypo3, reversed, rot13 } from './email-codes.ts'
import { namedAddresses, readableScript } from './email-scripts.ts'
import { type Candidate, candidatesIn, plainSpelling } from './email-spelling.ts'
import type { Page, PageElement } from './page.ts'
import { readStructuredData } from './structured-data.ts'

/** The most addresses of one page. A place may have as many. */
export const MAX_EMAILS = 100

// A page of 100,000 addresses is a list of other people's. This many include the site's own.
const MAX_COLLECTED = 1_000

const MAILTO = /^\s*(?:https?:\/\/)?mailto:(?:\/\/)?/i
const PROTECTED = /\/cdn-cgi\/l\/email-protection#([0-9a-f]+)/i
const TYPO3 = /linkTo_UnCryptMailto\((?:%27|['"])(.{10,500}?)(?:%27|['"])/i
const LINK_ATTRIBUTES = ['href', 'action', 'data-href', 'xlink:href', 'formaction']
const TEXT_ATTRIBUTES = ['content', 'title', 'alt', 'aria-label', 'value']
// An @ sign, or a bracket around a word for it. Attributes without either are not read.
const MAY_NAME = /[@＠[({<]/
const NAME_ATTRIBUTES = ['data-user', 'data-name', 'data-local', 'data-account', 'data-u']
const HOST_ATTRIBUTES = ['data-domain', 'data-host', 'data-site', 'data-d']

/** Collects addresses. `own` accepts only those on the own sites, because scripts contain many addresses of others. */
type Accept = { readonly any: (text: string) => void; readonly own: (text: string) => void }

/**
 * Finds the e-mail addresses of a page, shown or hidden: `mailto:` links, visible text in plain or disguised form,
 * JSON-LD, meta and microdata, the protections of Cloudflare and TYPO3, ROT13, reversed text, and scripts that name an
 * own site. Returns at most `MAX_EMAILS` in lower case, each once: own sites first, then free-mail hosts, then others.
 * Reads the first 1.5 million characters. Pure. Never throws.
 */
export function emailsOf(page: Page, sites: OwnSites): string[] {
  const addresses = new Set<string>()
  const accept: Accept = {
    any: (text) => addFrom(text, sites, addresses, false),
    own: (text) => addFrom(text, sites, addresses, true),
  }
  for (const element of page.elements) fromElement(element, accept)
  for (const email of readStructuredData(page.jsonLd).emails) accept.any(email.replace(MAILTO, ''))
  accept.any(page.joined)
  addParted(page.parted, sites, addresses)
  for (const text of page.reversed) accept.any(reversed(text))
  for (const text of page.rotated) accept.any(rot13(text))
  for (const script of page.scripts) fromScript(script, accept)
  return sortAddresses(addresses, sites).slice(0, MAX_EMAILS)
}

function addFrom(text: string, sites: OwnSites, addresses: Set<string>, ownOnly: boolean): void {
  for (const candidate of candidatesIn(plainSpelling(text, sites))) {
    if (addresses.size >= MAX_COLLECTED) return
    const address = acceptable(candidate, sites)
    if (address && (!ownOnly || isOwnAddress(address, sites))) addresses.add(address)
  }
}

// Reversed or rotated text without a mark counts only on the own sites: it often looks like an address by chance.
function acceptable([longest, ascii]: Candidate, sites: OwnSites): string | undefined {
  const plain = validAddress(longest, sites) ?? (ascii === longest ? undefined : validAddress(ascii, sites))
  if (plain && isOwnAddress(plain, sites)) return plain
  const backwards = validAddress(reversed(ascii), sites)
  if (backwards && isOwnAddress(backwards, sites)) return backwards
  const rotated = validAddress(rot13(ascii), sites)
  return rotated && isOwnAddress(rotated, sites) ? rotated : plain
}

// Text split at every tag shows addresses that ran into their neighbours (`shop.deTelefon`). Ends of known addresses
// are omitted.
function addParted(text: string, sites: OwnSites, addresses: Set<string>): void {
  const parts = new Set<string>()
  addFrom(text, sites, parts, false)
  const known = [...addresses]
  for (const part of parts) if (!known.some((address) => address.endsWith(part))) addresses.add(part)
}

function fromElement({ name, attributes }: PageElement, accept: Accept): void {
  for (const key of LINK_ATTRIBUTES) fromLink(attributes[key] ?? '', accept)
  const code = decodeCloudflare(attributes['data-cfemail'] ?? '')
  if (code) accept.any(code)
  if (name !== 'input' || attributes.type !== 'hidden') {
    for (const key of TEXT_ATTRIBUTES) if (MAY_NAME.test(attributes[key] ?? '')) accept.any(attributes[key] ?? '')
  }
  fromDataAttributes(attributes, accept)
  const handler = attributes.onclick ?? ''
  if (handler !== '') fromScript(handler, accept)
}

function fromLink(href: string, accept: Accept): void {
  if (MAILTO.test(href)) fromMailto(href.replace(MAILTO, ''), accept)
  else if (/^\s*javascript:/i.test(href)) fromJavascriptLink(href, accept)
  const code = decodeCloudflare(PROTECTED.exec(href)?.[1] ?? '')
  if (code) accept.any(code)
}

function fromMailto(link: string, accept: Accept): void {
  const [to = '', query = ''] = link.split('?', 2)
  const parameters = new URLSearchParams(query)
  const others = ['to', 'cc', 'bcc'].flatMap((name) => parameters.getAll(name))
  for (const addresses of [decodePercent(to), ...others]) {
    for (const address of addresses.split(/[,;]/)) accept.any(address)
  }
}

function fromJavascriptLink(href: string, accept: Accept): void {
  const code = TYPO3.exec(href)?.[1]
  const link = code === undefined ? undefined : decodeTypo3(decodePercent(code).replaceAll('\\', ''))
  if (link) fromMailto(link.replace(MAILTO, ''), accept)
  else fromScript(href, accept)
}

function fromDataAttributes(attributes: PageElement['attributes'], accept: Accept): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith('data-') || key === 'data-cfemail' || value.length > 2_000) continue
    if (key.includes('mail')) accept.any(decodeBase64(value) ?? decodePercent(value))
    // WordPress's e-mail encoder writes ROT13 with [at] into this attribute.
    accept.any(key === 'data-enc-email' ? rot13(plainSpelling(value, [])) : value)
  }
  const user = NAME_ATTRIBUTES.map((key) => attributes[key]).find((value) => value)
  const host = HOST_ATTRIBUTES.map((key) => attributes[key]).find((value) => value)
  const suffix = attributes['data-tld'] ? `.${attributes['data-tld']}` : ''
  if (user && host) accept.any(`${user}@${host}${suffix}`)
}

function fromScript(script: string, accept: Accept): void {
  const text = readableScript(script)
  for (const address of namedAddresses(text)) accept.any(address)
  accept.own(text)
}
