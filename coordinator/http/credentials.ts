import type { IncomingHttpHeaders } from 'node:http'

/** What a request shows to get in. */
export type Credential = { kind: 'key' | 'session'; secret: string }

export const SESSION_COOKIE = 'placefleet_session'

/**
 * The credential of a request: an API key in either of its two headers, else a session cookie. Undefined when there is
 * none, and when the headers are of no use or contradict each other: a key that cannot be read never falls back to the cookie.
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

function sessionOf(cookies: string | undefined): Credential | undefined {
  const values = (cookies ?? '').split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=', 2)
    return name === SESSION_COOKIE && value ? [value] : []
  })
  const [secret, another] = values
  return secret === undefined || another !== undefined ? undefined : { kind: 'session', secret }
}
