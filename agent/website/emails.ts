import { isFreeMail, isGeneric, isOwnAddress, type OwnSites, sortAddresses, validAddress } from './email-address.ts'
import { decodeCryptX, decodePercent, decodePlaces, decodeTypo3, reversed, rot13 } from './email-codes.ts'
import { hiddenTexts, isRotated } from './email-decoders.ts'
import { namedAddresses, readableScript } from './email-scripts.ts'
import { type Candidate, candidatesIn, plainSpelling } from './email-spelling.ts'
import { STRANGER_WORDS } from './email-templates.ts'
import type { Page, PageElement } from './page.ts'
import { readStructuredData } from './structured-data.ts'

/** The most addresses of one page. A place may have as many. */
export const MAX_EMAILS = 100

// A page of 100,000 addresses is a list of other people's. This many include the site's own.
const MAX_COLLECTED = 1_000

const MAILTO = /^\s*(?:https?:\/\/)?mailto:(?:\/\/)?/i
const TYPO3 = /linkTo_UnCryptMailto\((?:%27|['"])(.{10,500}?)(?:%27|['"])/i
const LINK_ATTRIBUTES = ['href', 'action', 'data-href', 'xlink:href', 'formaction']
const TEXT_ATTRIBUTES = ['content', 'title', 'alt', 'aria-label', 'value']
// An @ sign, or a bracket around a word for it. Attributes without either are not read.
const MAY_NAME = /[@＠[({<]/
/** Collects addresses. `own` accepts only those on the own sites, because scripts contain many addresses of others. */
type Accept = { readonly any: (text: string) => unknown; readonly own: (text: string) => unknown }

/** More white space than an address has around its sign. */
const APART = '\n\n\n\n'

/**
 * Finds the e-mail addresses of a page, shown or hidden: `mailto:` links, visible text in plain or disguised form,
 * JSON-LD, meta and microdata, the codes in attributes (`hiddenTexts`), ROT13, reversed text, and scripts that name an
 * own site; without those of authorities, agencies and hosters. Returns at most `MAX_EMAILS` in lower case, each once:
 * own sites first, then free-mail hosts, then others. Reads the first 1.5 million characters. Pure. Never throws.
 */
export function emailsOf(page: Page, sites: OwnSites): string[] {
  const addresses = new Set<string>()
  const texts = { any: new Set<string>(), own: new Set<string>() }
  const accept: Accept = { any: (text) => texts.any.add(text), own: (text) => texts.own.add(text) }
  const readTexts = () => {
    // As one text: reading many short ones takes seconds.
    addFrom([...texts.any].join(APART), sites, addresses, false)
    addFrom([...texts.own].join(APART), sites, addresses, true)
    for (const read of Object.values(texts)) read.clear()
  }
  for (const element of page.elements) fromElement(element, accept)
  for (const element of page.elements.filter(mayHide).slice(0, MAX_HIDING)) fromCode(element, accept)
  for (const email of readStructuredData(page.jsonLd).emails) accept.any(email.replace(MAILTO, ''))
  readTexts()
  for (const address of shownAddresses(page, sites)) if (addresses.size < MAX_COLLECTED) addresses.add(address)
  for (const text of page.reversed) {
    accept.any(reversed(text))
    accept.any(text) // a class may only say in which direction its language is written
  }
  for (const text of page.rotated) accept.any(rot13(text))
  for (const script of page.scripts) fromScript(script, accept)
  readTexts()
  const own = withoutStrangers(addresses, page.joined, sites)
  return sortAddresses(own, sites).slice(0, MAX_EMAILS)
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

/**
 * Finds the addresses of the visible text. Where inline elements run together, the text has other addresses than its
 * elements: `<b>E-Mail</b><u>info@shop.de</u>`. An address that is whole within an element wins, unless the longer one
 * is on an own site, names a mailbox, or goes on after a sign that no word ends with (`first.<b>last@shop.de</b>`).
 */
function shownAddresses(page: Page, sites: OwnSites): string[] {
  const [joined, parted] = [new Set<string>(), new Set<string>()]
  addFrom(page.joined, sites, joined, false)
  addFrom(page.parted, sites, parted, false)
  const parts = [...parted].filter((part) => !joined.has(part))
  const wrong = new Set<string>()
  for (const part of parts) {
    for (const address of joined) {
      if (!address.includes(part)) continue
      wrong.add(isWhole(address, part, sites) ? part : address)
    }
  }
  return [...joined, ...parts].filter((address) => !wrong.has(address))
}

function isWhole(joined: string, part: string, sites: OwnSites): boolean {
  if (isOwnAddress(joined, sites) !== isOwnAddress(part, sites)) return isOwnAddress(joined, sites)
  if (isGeneric(joined) !== isGeneric(part)) return isGeneric(joined)
  return /[._+-]$/.test(joined.slice(0, joined.indexOf(part)))
}

/** How many characters before an address may say whose it is. */
const CONTEXT = 160

// Authorities, data protection officers, agencies and hosters stand on pages of their customers.
function withoutStrangers(addresses: ReadonlySet<string>, text: string, sites: OwnSites): string[] {
  const suspects = [...addresses].filter((address) => !isOwnAddress(address, sites) && !isFreeMail(address))
  if (suspects.length === 0) return [...addresses]
  const plain = text.toLowerCase()
  const isStranger = (address: string) => {
    const at = plain.indexOf(address)
    const before = plain.slice(Math.max(0, at - CONTEXT), at)
    return at >= 0 && STRANGER_WORDS.test(before.slice(before.lastIndexOf('@') + 1)) // up to the last address
  }
  const strangers = new Set(suspects.filter(isStranger))
  return [...addresses].filter((address) => !strangers.has(address))
}

function fromElement({ name, attributes }: PageElement, accept: Accept): void {
  for (const key of LINK_ATTRIBUTES) {
    const link = attributes[key] ?? ''
    if (MAILTO.test(link)) fromMailto(link.replace(MAILTO, ''), accept)
  }
  if (name !== 'input' || attributes.type !== 'hidden') {
    for (const key of TEXT_ATTRIBUTES) if (MAY_NAME.test(attributes[key] ?? '')) accept.any(attributes[key] ?? '')
  }
}

/** The most elements of a page whose attributes are decoded, which takes ten times as long as to read them. */
const MAX_HIDING = 5_000
const JAVASCRIPT = /^\s*javascript:/i

const mayHide = ({ name, attributes }: PageElement): boolean =>
  name.includes('-') ||
  Object.entries(attributes).some(
    ([key, value]) => key.startsWith('data-') || key === 'onclick' || (key === 'href' && HIDING_LINK.test(value)),
  )
const HIDING_LINK = /^\s*javascript:|email-protection#/i

function fromCode(element: PageElement, accept: Accept): void {
  const { href = '', onclick = '' } = element.attributes
  for (const [key, value] of Object.entries(element.attributes)) {
    if (key.startsWith('data-') && value.length <= 2_000 && MAY_NAME.test(value) && !isRotated(key)) accept.any(value)
  }
  for (const text of hiddenTexts(element)) accept.any(text)
  if (JAVASCRIPT.test(href)) fromJavascriptLink(href, accept)
  if (onclick !== '') fromScript(onclick, accept)
}

function fromMailto(link: string, accept: Accept): void {
  const [to = '', query = ''] = link.split('?', 2)
  const parameters = new URLSearchParams(query)
  const copies = ['to', 'cc', 'bcc'].flatMap((name) => parameters.getAll(name))
  for (const addresses of [decodePercent(to), ...copies]) {
    for (const address of addresses.split(/[,;]/)) accept.any(address)
  }
}

function fromJavascriptLink(href: string, accept: Accept): void {
  const code = TYPO3.exec(href)?.[1]
  const link = code === undefined ? undefined : decodeTypo3(decodePercent(code).replaceAll('\\', ''))
  for (const text of decodeCryptX(href)) accept.any(text)
  if (link) fromMailto(link.replace(MAILTO, ''), accept)
  else fromScript(href, accept)
}

function fromScript(script: string, accept: Accept): void {
  for (const text of decodePlaces(script)) accept.any(text)
  for (const text of decodeCryptX(script)) accept.any(text)
  const text = readableScript(script)
  for (const address of namedAddresses(text)) accept.any(address)
  accept.own(text)
}
