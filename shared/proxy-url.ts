import { createHash } from 'node:crypto'
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

export const PROXY_FORMS =
  'URLs (http, https, socks5, socks5h), or host:port, host:port:user:password, user:password@host:port'

/** The form that every tool understands. */
const EXAMPLE = 'http://user:password@proxy.example.com:8080'

const LABEL = '[A-Za-z0-9_]+(-+[A-Za-z0-9_]+)*'
const LAST_LABEL = '[A-Za-z](-*[A-Za-z0-9])*' // a last label of digits would make the name an IPv4 address
const IPV4 = z.regexes.ipv4.source.slice(1, -1)
const IPV6 = z.regexes.ipv6.source.slice(1, -1)
const PORT = String.raw`([1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])`

const WORD = '[A-Za-z0-9_-]+'
const DOTTED = `((${LABEL}\\.)+${LAST_LABEL}|${IPV4})`

/** The usual forms of a proxy, for the API document. `parseProxyUrl` also accepts rarer ones. */
export const PROXY_PATTERN = [
  `^((${PROXY_SCHEMES.map(inAnyCase).join('|')})://`,
  String.raw`([^/?#\\]*@)?`,
  String.raw`((${LABEL}\.)*${LAST_LABEL}\.?|${IPV4}|\[${IPV6}\])`,
  `:${PORT}/?`,
  `|(${WORD}:${WORD}@)?${DOTTED}:${PORT}`,
  `|${DOTTED}:${PORT}:${WORD}:${WORD})$`,
].join('')

/** The most bytes that all proxies of a job have together. */
export const MAX_PROXIES_BYTES = 32 * 1_024

const MAX_PROXIES = 100
/** With empty lines and comments, so that whole files can be sent. */
const MAX_LINES = 1_000

/** The proxies of a request, in any form that `parseProxyUrl` reads. Empty entries and comments count for nothing. */
export const Proxies = z
  .array(z.string().max(MAX_LENGTH).meta({ pattern: PROXY_PATTERN }))
  .max(MAX_LINES)
  .refine((lines) => lines.filter((line) => proxyIn(line) !== '').length <= MAX_PROXIES, {
    error: `at most ${MAX_PROXIES} proxies`,
  })
  .refine((lines) => bytesOf(lines) <= MAX_PROXIES_BYTES, {
    error: ({ input }) =>
      `all proxies together must have at most ${MAX_PROXIES_BYTES} bytes (32 KiB), and these have ${bytesOf(input)}`,
  })

const bytesOf = (urls: unknown): number => new TextEncoder().encode([urls].flat().join('')).length

/** Returns what a line of a list says about a proxy: without a comment, quotes and a comma at its end. */
export function proxyIn(line: string): string {
  const text = line
    .replace(/^\s*(?:#|\/\/).*$|\s#.*$/s, '')
    .replace(/,\s*$/, '')
    .trim()
  return /^(["'`])(.*)\1$/s.exec(text)?.[2]?.trim() ?? text
}

/**
 * Reads a proxy in each form that sellers export, if it has only one meaning: a URL with one of `PROXY_SCHEMES`, and
 * without a scheme, which means `http`: `host:port`, `host:port:user:password`, `user:password@host:port` and the like.
 * The port is required, because a default would be a guess. A name or password in a URL may contain `:`, `@` or a
 * single
 * `%` unencoded, because providers issue them like this. `/`, `?` and `#` must be encoded there; otherwise other
 * parsers would see another host than the one checked here.
 */
export function parseProxyUrl(line: string): ParsedProxyUrl {
  const text = proxyIn(line)
  if (text.length > MAX_LENGTH) return { ok: false, error: `is longer than ${MAX_LENGTH} characters` }
  const [, written, authority = '', rest = ''] = SHAPE.exec(text) ?? []
  if (written === undefined) return parseBare(text)
  const scheme = PROXY_SCHEMES.find((known) => known === written.toLowerCase())
  if (!scheme) return { ok: false, error: `has none of the schemes ${PROXY_SCHEMES.join(', ')}` }
  if (rest !== '' && rest !== '/') return { ok: false, error: faultAfter(authority, rest) }
  const usual = atForm(authority, decode)
  return typeof usual === 'string'
    ? parsed(scheme, oneOf(colonForms(authority, decode)), usual)
    : { ok: true, proxy: { scheme, ...usual } }
}

function parsed(scheme: ProxyUrl['scheme'], form: Form | 'ambiguous' | undefined, fault: string): ParsedProxyUrl {
  if (form === 'ambiguous') return { ok: false, error: 'can be read in two ways' }
  return form === undefined ? { ok: false, error: fault } : { ok: true, proxy: { scheme, ...form } }
}

// What is behind the address of a URL is a part of the password, if a login still follows or came before.
function faultAfter(authority: string, rest: string): string {
  const [sign = ''] = rest
  if (!rest.includes('@') && authority.split(':').length < 4) return 'must not have a path, query or fragment'
  return `has "${sign}" in its name or password: write "${encodeURIComponent(sign)}" instead`
}

function parseBare(text: string): ParsedProxyUrl {
  const usual = atForm(text, decode)
  const fault = typeof usual === 'string' ? usual : 'has no valid host'
  return parsed('http', oneOf(bareForms(text)) ?? oneOf(bareForms(text.replaceAll(/[\s,;|]+/g, ':'))), fault)
}

type Form = Omit<ProxyUrl, 'scheme'>

// Without a scheme the text is no URL. So nothing is encoded in it, unless it looks like the rest of one.
function bareForms(text: string): Form[] {
  const [usual, reversed] = [atForm(text, decode), reversedForm(text)]
  const at = typeof usual === 'string' ? reversed : [usual]
  return [...at, ...colonForms(text, asWritten)]
}

/** `host:port`, or `user:password@host:port`; the fault of another text. */
function atForm(text: string, read: Reading): Form | string {
  const at = text.lastIndexOf('@')
  const address = parseAddress(text.slice(at + 1))
  return typeof address === 'string' ? address : { ...address, ...(at < 0 ? {} : parseLogin(text.slice(0, at), read)) }
}

/** `host:port@user:password`. */
function reversedForm(text: string): Form[] {
  const at = text.indexOf('@')
  return at < 0 ? [] : formOf(text.slice(0, at), text.slice(at + 1), decode)
}

/** `host:port:user:password`, in which the password may have colons, and `user:password:host:port`. */
function colonForms(text: string, read: Reading): Form[] {
  const [, first = '', login = ''] = /^((?:\[[^\]]*\]|[^:]*):\d+):(.*)$/s.exec(text) ?? []
  const [, loginBefore = '', last = ''] = /^(.*):((?:\[[^\]]*\]|[^:]*):\d+)$/s.exec(text) ?? []
  return [...formOf(first, login, read), ...formOf(last, loginBefore, read)]
}

function formOf(address: string, login: string, read: Reading): Form[] {
  const hostAndPort = /^\d+:/.test(address) ? 'is a number' : parseAddress(address)
  if (typeof hostAndPort === 'string' || !/^[^:]+:/.test(login)) return []
  return [{ ...hostAndPort, ...parseLogin(login, read) }]
}

/** Returns the only form of a text. The host of a proxy has a dot, so a form with one stands above others. */
function oneOf(forms: readonly Form[]): Form | 'ambiguous' | undefined {
  const likely = forms.filter(({ host }) => /[.:]/.test(host))
  const [form, ...others] = likely.length > 0 ? likely : forms
  return others.length > 0 ? 'ambiguous' : form
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
  return port >= 1 && port <= 65_535 ? { host, port } : 'has a port out of range (a number from 1 to 65535)'
}

type Reading = (text: string) => string

const asWritten: Reading = (text) => text

function parseLogin(text: string, read: Reading): { username?: string; password?: string } {
  if (text === '') return {}
  const colon = text.indexOf(':')
  if (colon < 0) return { username: read(text) }
  return { username: read(text.slice(0, colon)), password: read(text.slice(colon + 1)) }
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
  'The proxy points into a private or reserved network. The operator can allow a private host in EGRESS_ALLOW_HOSTS.'

/** A proxy of a user as its canonical URL, or a message for the client. */
type CheckedProxy = { readonly url: string } | { readonly message: string }

/**
 * Reads and checks a proxy of a job. Private addresses and internal names are rejected unless exempt. Names are not
 * resolved here: the connection checks them. The message says what is right, and never contains the text, since it may
 * hold a password.
 */
export function checkProxyUrl(text: string, allow: AllowHosts): CheckedProxy {
  const read = parseProxyUrl(text)
  if (!read.ok) return { message: `The proxy ${read.error}. Write it like ${EXAMPLE}.` }
  const target = checkTarget({ host: read.proxy.host, port: read.proxy.port }, allow)
  return target.ok ? { url: formatProxyUrl(read.proxy) } : { message: INTO_PRIVATE_NETWORK }
}

/** Returns what agents name a proxy by: the SHA-256 of its URL with its login, in hex. */
export const proxyDigest = (url: string): string => createHash('sha256').update(url).digest('hex')
