import { readWebsite } from '@placefleet/shared/web-presence/website-url'
import { textAt } from './index-path.ts'

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
