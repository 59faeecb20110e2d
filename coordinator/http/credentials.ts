import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from './errors.ts'

/** The credential of a request. */
export type Credential = { kind: 'key' | 'session'; secret: string }

/**
 * Returns the name of one of our cookies. Behind https it has the prefix `__Host-`: browsers then accept it from this host
 * over TLS only, so a sibling domain cannot set it.
 */
export const cookieName = (name: 'session' | 'flow', publicUrl: string | undefined): string =>
  `${publicUrl?.startsWith('https:') ? '__Host-' : ''}placefleet_${name}`

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/**
 * Returns the API key from either of its two headers, else the session cookie. Returns undefined when there is none, or
 * when the headers are malformed or contradict each other. A malformed key never falls back to the cookie.
 */
export function credentialOf(headers: IncomingHttpHeaders, publicUrl: string | undefined): Credential | undefined {
  const { authorization, 'x-api-key': apiKey } = headers
  if (authorization === undefined && apiKey === undefined) {
    const secret = cookieOf(headers, cookieName('session', publicUrl))
    return secret === undefined ? undefined : { kind: 'session', secret }
  }
  const bearer = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (authorization !== undefined && bearer === undefined) return undefined
  const secret = bearer ?? apiKey
  if (typeof secret !== 'string' || (apiKey !== undefined && apiKey !== secret)) return undefined
  return { kind: 'key', secret }
}

/**
 * Whether a call with a cookie may come from another site: it changes data, and no browser header proves that it comes
 * from one of our pages (DECISIONS, "Sessions").
 */
export function isPossiblyCrossSite(
  method: string,
  headers: IncomingHttpHeaders,
  publicUrl: string | undefined,
): boolean {
  if (SAFE_METHODS.includes(method)) return false
  if (headers.origin === undefined) return headers['sec-fetch-site'] !== 'same-origin'
  if (!URL.canParse(headers.origin)) return true
  const origin = new URL(headers.origin)
  return publicUrl === undefined ? origin.host !== headers.host : origin.origin !== new URL(publicUrl).origin
}

/**
 * Refuses a call that a browser makes from a page of another site. Programs send neither header and may call.
 * @throws AppError `forbidden`.
 */
export function rejectForeignPage(headers: IncomingHttpHeaders, publicUrl: string | undefined): void {
  const fromBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
  if (fromBrowser && isPossiblyCrossSite('POST', headers, publicUrl)) throw foreignPage(publicUrl)
}

/** The error for a change that comes from a page of another site, or from ours when it was opened under another name. */
export const foreignPage = (publicUrl: string | undefined): AppError =>
  new AppError('forbidden', `This call must come from a page at ${publicUrl ?? 'this site'}.`)

/**
 * Returns the value of a cookie. Undefined when it is missing, empty or there twice: cookie parsers keep one of two
 * cookies with the same name, and a sibling domain may have set one.
 */
export function cookieOf(headers: IncomingHttpHeaders, cookie: string): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=', 2)
    return name === cookie && value ? [value] : []
  })
  return values.length === 1 ? values[0] : undefined
}
