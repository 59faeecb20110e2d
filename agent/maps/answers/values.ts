import { readWebsite } from '@placefleet/shared/web-presence/website-url'
/** A list of the site: the position of a member is its meaning, any member may be null, and the tail may be missing. */
export type Node = readonly unknown[]

/** The member at a path of list indexes. Undefined when a step is missing, null or not a list. */
export function getAt(node: unknown, ...path: readonly number[]): unknown {
  let here = node
  for (const index of path) {
    if (!Array.isArray(here)) return undefined
    here = here[index]
  }
  return here ?? undefined
}

/** The text at a path, unchanged. Undefined for another type and for text of white space only. */
export function textAt(node: unknown, ...path: readonly number[]): string | undefined {
  const found = getAt(node, ...path)
  return typeof found === 'string' && found.trim() !== '' ? found : undefined
}

/** The finite number at a path. Undefined for another type, including numbers written as text. */
export function numberAt(node: unknown, ...path: readonly number[]): number | undefined {
  const found = getAt(node, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

/** The safe integer at a path. Undefined for another type. */
export function integerAt(node: unknown, ...path: readonly number[]): number | undefined {
  const found = getAt(node, ...path)
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : undefined
}

/** The list at a path, or an empty list. */
export function listAt(node: unknown, ...path: readonly number[]): Node {
  const found = getAt(node, ...path)
  return Array.isArray(found) ? found : []
}

/** A point on the globe, in degrees. */
export interface Position {
  latitude: number
  longitude: number
}

/** The point in a list `[…, …, latitude, longitude]`. Undefined when a half is missing or out of range. */
export function positionAt(list: unknown): Position | undefined {
  const latitude = numberAt(list, 2)
  const longitude = numberAt(list, 3)
  if (latitude === undefined || longitude === undefined) return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

// The bounds of the Place schema. A longer text is cut: a long name is no reason to lose a place.
const LINE = 2_000
const PARAGRAPH = 20_000

/** One line of text of at most 2000 UTF-16 units, well-formed and trimmed; undefined when nothing is left. */
export const fitLine = (text: string | undefined): string | undefined => fit(text, LINE)

/** The same for long texts: at most 20000 units, line breaks kept. */
export const fitParagraph = (text: string | undefined): string | undefined => fit(text, PARAGRAPH)

/** `textAt` cut to a line. */
export const lineAt = (node: unknown, ...path: readonly number[]): string | undefined => fitLine(textAt(node, ...path))

/** `textAt` cut to a paragraph. */
export const paragraphAt = (node: unknown, ...path: readonly number[]): string | undefined =>
  fitParagraph(textAt(node, ...path))

function fit(text: string | undefined, max: number): string | undefined {
  if (text === undefined) return undefined
  // toWellFormed after the cut, which may have halved a surrogate pair; a NUL is refused by some of our readers.
  const fitted = text.trim().slice(0, max).toWellFormed().replaceAll('\0', '').trim()
  return fitted === '' ? undefined : fitted
}

/** A copy without the members that are undefined: an absent field is never sent as a key without a value. */
export function omitUndefined<Fields extends object>(fields: Fields): Fields {
  const kept = { ...fields }
  for (const [name, value] of Object.entries(kept)) {
    if (value === undefined) Reflect.deleteProperty(kept, name)
  }
  return kept
}

/** At most `max` members; undefined instead of an empty list. */
export function filled<Member>(members: readonly Member[], max: number): Member[] | undefined {
  return members.length > 0 ? members.slice(0, max) : undefined
}

/** The object, or undefined when no member of it is defined. */
export function filledFields<Fields extends object>(fields: Fields): Fields | undefined {
  const kept = omitUndefined(fields)
  return Object.keys(kept).length > 0 ? kept : undefined
}

// The Place schema's bound of a URL. A cut URL leads nowhere, so a longer one is left out.
const MAX_LENGTH = 8_192
const WEB = /^https?:\/\//i
const SITE = 'https://www.google.com'

/**
 * A URL as the site means it: a second escaping undone (`\u003d` as six characters), `//host` completed with https, the
 * target of the redirect `/url?q=` taken out. Undefined when that is no absolute web address (`javascript:` must not
 * reach a page that shows it), or longer than a place may hold.
 */
export function readUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const plain = unescapeTwice(text.trim().toWellFormed().replaceAll('\0', ''))
  const complete = plain.startsWith('//') ? `https:${plain}` : plain
  const target = redirectTarget(complete) ?? complete
  return WEB.test(target) && target.length <= MAX_LENGTH ? target : undefined
}

/**
 * A business's website. What owners write is not always a URL: `mybakery.com`, `LINKTR.EE/x` and `https//shop.de` are
 * read as they were meant. Undefined when it names none.
 */
export function readWebsiteUrl(text: string | undefined): string | undefined {
  const url = readUrl(text)
  if (url !== undefined || text?.trimStart().startsWith('/')) return url
  const written = readWebsite(text)
  return written.kind === 'url' ? readUrl(written.url.href) : undefined
}

/** `readUrl` of the text at a path. */
export const urlAt = (node: unknown, ...path: readonly number[]): string | undefined => readUrl(textAt(node, ...path))

function unescapeTwice(text: string): string {
  if (!text.includes('\\u')) return text
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .toWellFormed()
}

// Relative, or on a host of the site itself: `shop.de/url?q=…` is a page of shop.de.
function redirectTarget(address: string): string | undefined {
  if (!address.includes('/url?')) return undefined
  const url = URL.parse(address, SITE)
  if (url?.pathname !== '/url' || !/(^|\.)google(\.[a-z]{2,3}){1,2}$/.test(url.hostname)) return undefined
  const target = url.searchParams.get('q') ?? url.searchParams.get('url') ?? ''
  return WEB.test(target) ? target : undefined
}
