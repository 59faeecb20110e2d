import { classifyAddress, type ForbiddenReason } from './forbidden-addresses.ts'

/** Hosts (`nas.local`) and host:port pairs (`127.0.0.1:8080`) an operator exempts from the private-network rule. */
export type AllowHosts = ReadonlySet<string>

/** No exemptions: only public targets pass. */
export const ALLOW_NONE: AllowHosts = new Set<string>()

/** Why a target is refused before any name is looked up. */
export type RefusedTarget = ForbiddenReason | 'invalid_url' | 'scheme' | 'internal_name'

/** A target that may be looked up and connected to. `host` is normalised, IPv6 without brackets. */
type CheckedTarget =
  | {
      readonly ok: true
      readonly host: string
      readonly port: number
      readonly literal: boolean
      readonly allowed: boolean
    }
  | { readonly ok: false; readonly reason: RefusedTarget }

/** An unchecked host and a port. */
export type HostAndPort = { readonly host: string; readonly port: number }

const DEFAULT_PORT: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }
const IPV4_LITERAL = /^\d{1,3}(?:\.\d{1,3}){3}$/
const MAX_PORT = 65_535

/** Names of the clouds' metadata services that have a public suffix. */
const INTERNAL_NAMES = [
  'home.arpa',
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
]

// RFC 6761, 6762, 8375, ICANN's "internal", and the suffixes that home routers, companies and clusters use internally.
const INTERNAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'svc',
]

/**
 * Reads `WEBHOOK_ALLOW_HOSTS` or `EGRESS_ALLOW_HOSTS`: host or host:port, comma-separated, IPv6 with brackets when a
 * port follows.
 * @throws Error that names the first invalid entry, so that a typo stops the start.
 */
export function parseAllowHosts(text: string): AllowHosts {
  const entries = text.split(',').map((entry) => entry.trim())
  return new Set(entries.filter((entry) => entry !== '').map(parseAllowEntry))
}

function parseAllowEntry(entry: string): string {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? []
  const host = normaliseHost(bracketed ?? plain ?? entry)
  if (host === undefined || (port !== undefined && !isPort(Number(port)))) {
    throw new Error(`"${entry}" is not a host or host:port`)
  }
  return port === undefined ? host : allowKey(host, Number(port))
}

/** Returns whether a normalised host is exempt, for all ports or for this port. */
export function isAllowed(allow: AllowHosts, host: string, port?: number): boolean {
  return allow.has(host) || (port !== undefined && allow.has(allowKey(host, port)))
}

function allowKey(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/**
 * Checks a URL (http or https) or a host and port without a look-up: literal addresses must be public, names must not
 * be internal. Resolve a name that passes with `resolvePublic`. Never throws.
 */
export function checkTarget(target: string | URL | HostAndPort, allow: AllowHosts): CheckedTarget {
  const parsed = typeof target === 'string' || target instanceof URL ? fromUrl(target) : fromHostAndPort(target)
  if (typeof parsed === 'string') return { ok: false, reason: parsed }
  const { host, port } = parsed
  const literal = isLiteral(host)
  if (isAllowed(allow, host, port)) return { ok: true, host, port, literal, allowed: true }
  const reason = literal ? classifyAddress(host) : nameReason(host)
  return reason === 'public' ? { ok: true, host, port, literal, allowed: false } : { ok: false, reason }
}

function fromUrl(target: string | URL): HostAndPort | 'invalid_url' | 'scheme' {
  const url = typeof target === 'string' ? URL.parse(target) : target
  if (!url) return 'invalid_url'
  const port = url.port === '' ? DEFAULT_PORT[url.protocol] : Number(url.port)
  if (DEFAULT_PORT[url.protocol] === undefined || port === undefined) return 'scheme'
  return fromHostAndPort({ host: url.hostname, port })
}

function fromHostAndPort({ host, port }: HostAndPort): HostAndPort | 'invalid_url' {
  const normal = normaliseHost(host)
  return normal === undefined || !isPort(port) ? 'invalid_url' : { host: normal, port }
}

/**
 * Normalises a host as the WHATWG parser does in an http URL: `127.1`, `0x7f000001` and full-width digits become
 * 127.0.0.1. In lower case, IPv6 without brackets, without the dot of the root. Undefined for text that is not a host.
 */
export function normaliseHost(host: string): string | undefined {
  if (/[/?#@\\]|\]./.test(host)) return undefined // would be read as another part of the URL
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const url = URL.parse(`http://${bracketed}/`)
  if (!url) return undefined
  const bare = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return bare.split('.').includes('') ? undefined : bare // an empty label is no name
}

function isLiteral(host: string): boolean {
  return host.includes(':') || IPV4_LITERAL.test(host)
}

function nameReason(host: string): 'public' | 'internal_name' {
  const internal = !host.includes('.') || INTERNAL_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`))
  return internal || INTERNAL_NAMES.includes(host) ? 'internal_name' : 'public'
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= MAX_PORT
}
