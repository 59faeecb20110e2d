import { type AllowHosts, checkTarget, normaliseHost } from './egress/target.ts'

/** The schemes of proxies a job may name; socks5h lets the proxy resolve names. */
export const PROXY_SCHEMES = ['http', 'https', 'socks5', 'socks5h'] as const

/** A user's proxy, its credentials decoded. */
export type ProxyUrl = {
  readonly scheme: (typeof PROXY_SCHEMES)[number]
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
}

/** A proxy URL, or what is wrong with it; `error` never repeats the text, which may hold a password. */
export type ParsedProxyUrl =
  | { readonly ok: true; readonly proxy: ProxyUrl }
  | { readonly ok: false; readonly error: string }

const MAX_LENGTH = 2_048
const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\]*)(.*)$/is

/**
 * Reads a proxy URL: one of `PROXY_SCHEMES`, host and port (both required, since a default would be a guess), optional
 * credentials, no path, query or fragment. Credentials may hold `:`, `@` or a stray `%` as they are, because that is
 * how providers hand them out: the last `@` ends them and the first `:` divides them. `/`, `?` and `#` in them must be
 * encoded, or other parsers would see another host than the one checked here.
 */
export function parseProxyUrl(text: string): ParsedProxyUrl {
  const trimmed = text.trim()
  if (trimmed.length > MAX_LENGTH) return { ok: false, error: `is longer than ${MAX_LENGTH} characters` }
  const [, written = '', authority = '', rest = ''] = SHAPE.exec(trimmed) ?? []
  const scheme = PROXY_SCHEMES.find((known) => known === written.toLowerCase())
  if (!scheme) return { ok: false, error: `must be a URL with one of the schemes ${PROXY_SCHEMES.join(', ')}` }
  if (rest !== '' && rest !== '/') return { ok: false, error: 'must not have a path, query or fragment' }
  const at = authority.lastIndexOf('@')
  const address = parseAddress(authority.slice(at + 1))
  if (typeof address === 'string') return { ok: false, error: address }
  return { ok: true, proxy: { scheme, ...address, ...(at < 0 ? {} : parseCredentials(authority.slice(0, at))) } }
}

/** The canonical text of a proxy, credentials encoded: what libraries must be given instead of the user's text. */
export function formatProxyUrl({ scheme, host, port, username, password }: ProxyUrl): string {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed())
  const secret = password === undefined ? '' : `:${encode(password)}`
  const credentials = username === undefined ? '' : `${encode(username)}${secret}@`
  return `${scheme}://${credentials}${host.includes(':') ? `[${host}]` : host}:${port}`
}

function parseAddress(authority: string): { host: string; port: number } | string {
  const [, written = '', digits] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority) ?? []
  const host = written === '' ? undefined : normaliseHost(written)
  if (host === undefined) return 'has no valid host'
  if (digits === undefined || digits === '') return 'has no port'
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0
  return port >= 1 && port <= 65_535 ? { host, port } : 'has a port out of range (1 to 65535)'
}

function parseCredentials(text: string): { username?: string; password?: string } {
  if (text === '') return {}
  const colon = text.indexOf(':')
  if (colon < 0) return { username: decode(text) }
  return { username: decode(text.slice(0, colon)), password: decode(text.slice(colon + 1)) }
}

// Providers hand out passwords with a bare % in them; what is not a valid escape is meant literally.
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}

/**
 * What is wrong with a proxy URL of a job, for the client, or undefined when it may be used. An address or an internal
 * name in a private network is refused unless exempt. No look-up: a public name is checked when it is connected to.
 * The message never contains the URL, and so never its password.
 */
export function checkProxyUrl(text: string, allow: AllowHosts): string | undefined {
  const parsed = parseProxyUrl(text)
  if (!parsed.ok) return `The proxy URL ${parsed.error}.`
  const target = checkTarget({ host: parsed.proxy.host, port: parsed.proxy.port }, allow)
  return target.ok ? undefined : 'The proxy URL points into a private or reserved network.'
}
