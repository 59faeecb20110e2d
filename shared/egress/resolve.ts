import { lookup as systemLookup } from 'node:dns/promises'
import { classifyAddress, type ForbiddenReason } from './forbidden-addresses.ts'
import { type AllowHosts, isAllowed, normaliseHost } from './target.ts'

/** Resolves a name to all its addresses, as `node:dns/promises` does with `all: true`; rejects when there is none. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** One answer of a look-up. */
export type ResolvedAddress = { readonly address: string; readonly family: number }

/** Connect to `address`, and use the name only for the Host header and TLS. */
type Resolution =
  | { readonly ok: true; readonly address: string; readonly family: 4 | 6 }
  | {
      readonly ok: false
      readonly reason: ForbiddenReason | 'invalid_host' | 'lookup_failed'
      readonly cause?: unknown
    }

/** The options of a look-up: `port` applies a host:port exemption, `lookup` replaces the system's resolver. */
type ResolveOptions = { readonly allow: AllowHosts; readonly port?: number; readonly lookup?: Lookup }

const lookupAll: Lookup = (hostname) => systemLookup(hostname, { all: true })

/**
 * Resolves a host once and pins it. Every A and AAAA answer must be public, because DNS rebinding hides a private
 * address among public ones. A failed look-up is a refusal. Literal addresses are checked too, because they never reach
 * a connection's look-up hook. Exempt hosts are resolved but not checked. Call it for every attempt and every redirect,
 * and connect to `address`. Never rejects.
 */
export async function resolvePublic(host: string, options: ResolveOptions): Promise<Resolution> {
  const name = normaliseHost(host)
  if (name === undefined) return { ok: false, reason: 'invalid_host' }
  const answers = await answersFor(name, options.lookup ?? lookupAll)
  if (!answers.ok) return answers
  const exempt = isAllowed(options.allow, name, options.port)
  const refused = exempt ? undefined : firstForbidden(answers.addresses)
  return refused ? { ok: false, reason: refused } : pin(answers.addresses)
}

type Answers =
  | { ok: true; addresses: readonly ResolvedAddress[] }
  | { ok: false; reason: 'lookup_failed'; cause?: unknown }

async function answersFor(name: string, lookup: Lookup): Promise<Answers> {
  if (isAddress(name)) return { ok: true, addresses: [{ address: name, family: name.includes(':') ? 6 : 4 }] }
  try {
    const addresses = await lookup(name)
    return addresses.length === 0 ? { ok: false, reason: 'lookup_failed' } : { ok: true, addresses }
  } catch (cause) {
    return { ok: false, reason: 'lookup_failed', cause }
  }
}

function isAddress(name: string): boolean {
  return classifyAddress(name) !== 'not_an_address'
}

function firstForbidden(addresses: readonly ResolvedAddress[]): ForbiddenReason | undefined {
  for (const { address } of addresses) {
    const addressClass = classifyAddress(address)
    if (addressClass !== 'public') return addressClass
  }
  return undefined
}

// A pinned connection cannot try both families, and IPv6 is often announced without a route.
function pin(addresses: readonly ResolvedAddress[]): Resolution {
  const chosen = addresses.find(({ family }) => family === 4) ?? addresses[0]
  if (!chosen) return { ok: false, reason: 'lookup_failed' }
  return { ok: true, address: chosen.address, family: chosen.family === 6 ? 6 : 4 }
}
