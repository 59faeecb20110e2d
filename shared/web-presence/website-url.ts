import { RULES } from './rules.ts'

// Leftovers of copying and templates around a URL: space, quotes, angle brackets, invisible and direction marks.
const EDGE = /[\s"'<>`“”„‘’«»\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]/
const ENCODED_URL = /^https?%3a(?:%2f|%5c|\/){2}/i
const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const HOST_AND_PORT = /^[^/?#@:\\]+:\d{1,5}(?=[/?#\\]|$)/
// https://https://x, https//x, http:/x, https:\\x, htttp://x: damaged forms of http and https.
const WRITTEN_HTTP = /^(?:h{0,2}t{1,3}p{1,2}s{0,2}|hxxps?)(?::[/\\]*|[:;]*[/\\]{2}[/\\:]*)/i
// The map page links to websites through its own redirects, relative to its host.
const MAP_REDIRECT = /^\/(?:url|aclk)\?/
// Schemes that the WHATWG parser reads like http, so their URLs have a host.
const WITH_HOST = new Set(['ftp', 'ws', 'wss'])

/** A listed website after cleaning and repair: a URL, or why it is not one. */
export type ListedWebsite =
  | { readonly kind: 'url'; readonly text: string; readonly url: URL }
  | { readonly kind: 'app'; readonly text: string; readonly rule: string }
  | { readonly kind: 'none'; readonly rule: string }

/**
 * Reads the website of a listing (README steps 1 to 3): trims it, drops placeholders, decodes a URL that is encoded as
 * a whole, repairs a damaged scheme and parses with the WHATWG parser. Never throws. `text`: the cleaned listing.
 * `rule`: the rule that decided.
 */
export function readWebsite(raw: unknown): ListedWebsite {
  if (typeof raw !== 'string') return { kind: 'none', rule: 'missing' }
  const text = clean(raw)
  if (text === '') return { kind: 'none', rule: 'empty' }
  if (RULES.placeholders.includes(text.toLowerCase())) return { kind: 'none', rule: 'placeholder' }
  return readScheme(text)
}

function clean(raw: string): string {
  const trimmed = trimEdges(raw).replaceAll('&amp;', '&')
  return ENCODED_URL.test(trimmed) ? decodeOnce(trimmed) : trimmed
}

// Not a regular expression anchored at the end: that is quadratic on a long run of spaces inside the text.
function trimEdges(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && EDGE.test(text.charAt(start))) start += 1
  while (end > start && EDGE.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a stray % makes it undecodable; the parser then judges it as it stands
  }
}

function readScheme(text: string): ListedWebsite {
  if (MAP_REDIRECT.test(text)) return parseUrl(text, `https://www.google.com${text}`)
  if (text.startsWith('/') && !text.startsWith('//')) return { kind: 'none', rule: 'relative' }
  const { rest, http } = withoutHttp(text)
  const scheme = SCHEME.exec(rest)?.[1]?.toLowerCase()
  if (scheme && RULES.schemes.none.includes(scheme)) return { kind: 'none', rule: `scheme:${scheme}` }
  if (scheme && RULES.schemes.social.includes(scheme)) return { kind: 'app', text, rule: `scheme:${scheme}` }
  if (http) return parseUrl(text, `${http}://${rest}`)
  if (rest.startsWith('//')) return parseUrl(text, `https:${rest}`)
  return readWithoutHttp(text, scheme)
}

/** Returns the text after its http or https, which may be repeated or damaged, and the last of these schemes. */
function withoutHttp(text: string): { rest: string; http?: 'http' | 'https' } {
  let rest = text
  let written: string | undefined
  for (let match = WRITTEN_HTTP.exec(rest); match; match = WRITTEN_HTTP.exec(rest)) {
    written = match[0]
    rest = rest.slice(written.length)
  }
  return written === undefined ? { rest } : { rest, http: /s/i.test(written) ? 'https' : 'http' }
}

function readWithoutHttp(text: string, scheme: string | undefined): ListedWebsite {
  if (scheme && WITH_HOST.has(scheme)) return parseUrl(text, text)
  const authority = text.split(/[/?#\\]/, 1)[0] ?? ''
  if (authority.includes('@')) return { kind: 'none', rule: 'email' }
  if (scheme && !scheme.includes('.') && !HOST_AND_PORT.test(text)) return { kind: 'none', rule: `scheme:${scheme}` }
  return parseUrl(text, `https://${text}`)
}

function parseUrl(text: string, repaired: string): ListedWebsite {
  const url = URL.parse(repaired)
  return url ? { kind: 'url', text, url } : { kind: 'none', rule: 'unparsable' }
}
