import type { Point } from '@placefleet/shared/great-circle'
import { readWebsite } from '@placefleet/shared/web-presence/website-url'
/** A list of the site: the position of a member is its meaning, any member may be null, and the tail may be missing. */
export type Node = readonly unknown[]

/** Returns the member at a path of list indexes. Undefined when a step is missing, null or not a list. */
export function getAt(node: unknown, ...path: readonly number[]): unknown {
  let here = node
  for (const index of path) {
    if (!Array.isArray(here)) return undefined
    here = here[index]
  }
  return here ?? undefined
}

/** Returns the text at a path, unchanged. Undefined also for white space only. */
export function textAt(node: unknown, ...path: readonly number[]): string | undefined {
  const value = getAt(node, ...path)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function numberAt(node: unknown, ...path: readonly number[]): number | undefined {
  const value = getAt(node, ...path)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function integerAt(node: unknown, ...path: readonly number[]): number | undefined {
  const value = getAt(node, ...path)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

export function listAt(node: unknown, ...path: readonly number[]): Node {
  const value = getAt(node, ...path)
  return Array.isArray(value) ? value : []
}

/** Returns the point in a list `[…, …, latitude, longitude]`. Undefined when a half is missing or out of range. */
export function positionAt(list: unknown): Point | undefined {
  const latitude = numberAt(list, 2)
  const longitude = numberAt(list, 3)
  if (latitude === undefined || longitude === undefined) return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

// The bounds of the Place schema. A longer text is cut, so that a long name does not lose the place.
const LINE = 2_000
const PARAGRAPH = 20_000

/** Trims a text and cuts it to 2,000 UTF-16 units, well-formed. Undefined when nothing is left. */
export const fitLine = (text: string | undefined): string | undefined => fit(text, LINE)

/** The same with 20,000 units, for a long text. */
export const fitParagraph = (text: string | undefined): string | undefined => fit(text, PARAGRAPH)

export const lineAt = (node: unknown, ...path: readonly number[]): string | undefined => fitLine(textAt(node, ...path))

export const paragraphAt = (node: unknown, ...path: readonly number[]): string | undefined =>
  fitParagraph(textAt(node, ...path))

function fit(text: string | undefined, max: number): string | undefined {
  if (text === undefined) return undefined
  // The cut may have split a surrogate pair. Some spreadsheet programs reject a NUL.
  const fitted = text.trim().slice(0, max).toWellFormed().replaceAll('\0', '').trim()
  return fitted === '' ? undefined : fitted
}

/** Copies an object without its undefined members. Deleting them makes an object slow to copy and to write as JSON. */
export function omitUndefined<Fields extends object>(fields: Fields): Fields
export function omitUndefined<Fields extends object>(fields: Fields): Partial<Fields> {
  const defined: Partial<Fields> = {}
  for (const name in fields) if (fields[name] !== undefined) defined[name] = fields[name]
  return defined
}

/** Reads each member of a list, and leaves out those that `read` cannot read. */
export function readEach<Member, Value>(
  members: readonly Member[],
  read: (member: Member) => Value | undefined,
): Value[] {
  return members.map((member) => read(member)).filter((value) => value !== undefined)
}

export function eachOnce<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}

/** Returns the first `max` members of a list. Undefined for an empty list. */
export function filled<Member>(members: readonly Member[], max: number): Member[] | undefined {
  return members.length > 0 ? members.slice(0, max) : undefined
}

/** Returns `omitUndefined` of an object, or undefined when no member is left. */
export function filledFields<Fields extends object>(fields: Fields): Fields | undefined {
  const defined = omitUndefined(fields)
  return Object.keys(defined).length > 0 ? defined : undefined
}

// The bound of the Place schema. A longer URL is omitted, because a cut URL does not work.
const MAX_LENGTH = 8_192
const WEB = /^https?:\/\//i
const SITE = 'https://www.google.com'

/**
 * Reads a URL of the site: decodes a second escaping (`\u003d` as six characters), completes `//host` with https, and
 * follows the site's redirect `/url?q=`. Undefined for a URL that is too long or not an absolute http(s) address:
 * `javascript:` must not reach a page that shows it.
 */
export function readUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const plain = unescapeTwice(text.trim().toWellFormed().replaceAll('\0', ''))
  const complete = plain.startsWith('//') ? `https:${plain}` : plain
  const target = redirectTarget(complete) ?? complete
  return WEB.test(target) && target.length <= MAX_LENGTH ? target : undefined
}

/** Reads the website of a business. Owners write more than URLs: `mybakery.com`, `LINKTR.EE/x`, `https//shop.de`. */
export function readWebsiteUrl(text: string | undefined): string | undefined {
  const url = readUrl(text)
  if (url !== undefined || text?.trimStart().startsWith('/')) return url
  const written = readWebsite(text)
  return written.kind === 'url' ? readUrl(written.url.href) : undefined
}

export const urlAt = (node: unknown, ...path: readonly number[]): string | undefined => readUrl(textAt(node, ...path))

function unescapeTwice(text: string): string {
  if (!text.includes('\\u')) return text
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .toWellFormed()
}

// Redirects are relative or on a host of the site. `shop.de/url?q=…` is a page of shop.de.
function redirectTarget(address: string): string | undefined {
  if (!address.includes('/url?')) return undefined
  const url = URL.parse(address, SITE)
  if (url?.pathname !== '/url' || !/(^|\.)google(\.[a-z]{2,3}){1,2}$/.test(url.hostname)) return undefined
  const target = url.searchParams.get('q') ?? url.searchParams.get('url') ?? ''
  return WEB.test(target) ? target : undefined
}
