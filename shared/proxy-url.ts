import { z } from 'zod'
import { type AllowHosts, checkTarget, normaliseHost } from './egress/target.ts'
import { inAnyCase } from './text.ts'

/** The proxy schemes that a job may use; with socks5h the proxy resolves names. */
export const PROXY_SCHEMES = ['http', 'https', 'socks5', 'socks5h'] as const

/** A user's proxy with decoded credentials. */
type ProxyUrl = {
  readonly scheme: (typeof PROXY_SCHEMES)[number]
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
}

/** A parsed proxy URL, or an error that never repeats the text, because it may contain a password. */
type ParsedProxyUrl = { readonly ok: true; readonly proxy: ProxyUrl } | { readonly ok: false; readonly error: string }

const MAX_LENGTH = 2_048
const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\]*)(.*)$/is

const LABEL = '[A-Za-z0-9_]+(-+[A-Za-z0-9_]+)*'
const LAST_LABEL = '[A-Za-z](-*[A-Za-z0-9])*' // a last label of digits would make the name an IPv4 address
const IPV4 = z.regexes.ipv4.source.slice(1, -1)
const IPV6 = z.regexes.ipv6.source.slice(1, -1)
const PORT = String.raw`([1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])`

/** The usual forms of a proxy URL, for the API document. `parseProxyUrl` also accepts rarer spellings of a host. */
export const PROXY_PATTERN = [
  `^(${PROXY_SCHEMES.map(inAnyCase).join('|')})://`,
  String.raw`([^/?#\\]*@)?`,
  String.raw`((${LABEL}\.)*${LAST_LABEL}\.?|${IPV4}|\[${IPV6}\])`,
  `:${PORT}/?$`,
].join('')

/** The most bytes that all proxy URLs of a job have together. */
export const MAX_PROXIES_BYTES = 32 * 1_024

/** The proxies of a request. */
export const Proxies = z
  .array(z.string().min(1).max(MAX_LENGTH).meta({ pattern: PROXY_PATTERN }))
  .max(100)
  .refine((urls) => bytesOf(urls) <= MAX_PROXIES_BYTES, {
    error: ({ input }) =>
      `all URLs together must have at most ${MAX_PROXIES_BYTES} bytes (32 KiB), and these have ${bytesOf(input)}`,
  })

const bytesOf = (urls: unknown): number => new TextEncoder().encode([urls].flat().join('')).length

/**
 * Parses a proxy URL: one of `PROXY_SCHEMES`, a host, a port, optional credentials, and no path, query or fragment. The
 * port is required, because a default would be a guess. Credentials may contain `:`, `@` or a single `%` unencoded,
 * because providers issue them like this: the last `@` ends them and the first `:` separates the password. `/`, `?` and
 * `#` must be encoded; otherwise other parsers would see another host than the one checked here.
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

/** Returns the canonical URL of a proxy with encoded credentials. Pass it to libraries instead of the user's text. */
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

// Providers hand out passwords with a bare %: an invalid escape is taken literally.
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}

const INTO_PRIVATE_NETWORK =
  'The proxy URL points into a private or reserved network. The operator can allow a private host in EGRESS_ALLOW_HOSTS.'

/**
 * Checks a proxy URL of a job and returns a message for the client, or undefined when it is valid. Private addresses
 * and internal names are rejected unless exempt. Names are not resolved here: the connection checks them. The message
 * never contains the URL, since it may hold a password.
 */
export function checkProxyUrl(text: string, allow: AllowHosts): string | undefined {
  const parsed = parseProxyUrl(text)
  if (!parsed.ok) return `The proxy URL ${parsed.error}.`
  const target = checkTarget({ host: parsed.proxy.host, port: parsed.proxy.port }, allow)
  return target.ok ? undefined : INTO_PRIVATE_NETWORK
}
