import type { IncomingHttpHeaders } from 'node:http'

/** The credential of a request. */
export type Credential = { kind: 'key' | 'session'; secret: string }

export const SESSION_COOKIE = 'placefleet_session'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/**
 * Returns the API key from either of its two headers, else the session cookie. Returns undefined when there is none, or
 * when the headers are malformed or contradict each other. A malformed key never falls back to the cookie.
 */
export function credentialOf(headers: IncomingHttpHeaders): Credential | undefined {
  const { authorization, 'x-api-key': apiKey } = headers
  if (authorization === undefined && apiKey === undefined) return sessionOf(headers.cookie)
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

// Cookie parsers keep one of two cookies with the same name. We reject both, since a sibling domain may have set one.
function sessionOf(cookies: string | undefined): Credential | undefined {
  const values = (cookies ?? '').split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=', 2)
    return name === SESSION_COOKIE && value ? [value] : []
  })
  const [secret, another] = values
  return secret === undefined || another !== undefined ? undefined : { kind: 'session', secret }
}
