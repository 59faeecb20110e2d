import { lookup as systemLookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { classifyAddress, type ForbiddenReason } from './forbidden-addresses.ts'
import { type AllowHosts, isAllowed, normaliseHost } from './target.ts'

/** Resolves a name to all its addresses, as `node:dns/promises` does with `all: true`; rejects when there is none. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** One answer of a look-up. */
export type ResolvedAddress = { readonly address: string; readonly family: number }

/** Addresses to connect to, in their order. */
export type Addresses = readonly [ResolvedAddress, ...ResolvedAddress[]]

/** Connect to one of `addresses`, in their order, and use the name only for the Host header and TLS. */
type Resolution =
  | { readonly ok: true; readonly addresses: Addresses }
  | {
      readonly ok: false
      readonly reason: ForbiddenReason | 'invalid_host' | 'lookup_failed'
      readonly cause?: unknown
    }

type ResolveOptions = {
  readonly allow: AllowHosts
  /** Applies a host:port exemption. */
  readonly port?: number
  /** Replaces the system's resolver. */
  readonly lookup?: Lookup
  /** Refuses a name with any forbidden address, not only one without a public address. */
  readonly refusesMixed?: boolean
  /** The families with which this machine reaches others. Default: those of its interfaces. */
  readonly families?: ReadonlySet<number>
}

/** A page waits at most a quarter of a second for each but the last address. */
const MOST_ADDRESSES = 3

const lookupAll: Lookup = (hostname) => systemLookup(hostname, { all: true })

/**
 * Resolves a host once to its public addresses, IPv4 first, and of the families of this machine if there are any.
 * Private addresses are left out: records like fe80:: are common, and nothing connects to them. A failed look-up is a
 * refusal. Literal addresses are checked too, because they never reach a connection's look-up hook. Exempt hosts are
 * resolved but not checked. Call it for every attempt and every redirect, and connect only to `addresses`: another
 * look-up may say something else (DNS rebinding). Never rejects.
 */
export async function resolvePublic(host: string, options: ResolveOptions): Promise<Resolution> {
  const name = normaliseHost(host)
  if (name === undefined) return { ok: false, reason: 'invalid_host' }
  const answers = await answersFor(name, options.lookup ?? lookupAll)
  if (!answers.ok) return answers
  const exempt = isAllowed(options.allow, name, options.port)
  const refused = exempt ? undefined : firstForbidden(answers.addresses)
  const allowed = answers.addresses.filter(({ address }) => exempt || classifyAddress(address) === 'public')
  const [first, ...rest] = inOrder(allowed, options.families ?? familiesOfThisMachine())
  if (refused && (!first || options.refusesMixed)) return { ok: false, reason: refused }
  return first ? { ok: true, addresses: [first, ...rest] } : { ok: false, reason: 'lookup_failed' }
}

/** Every interface but loopback counts, and every address of IPv6 but link-local ones, which lead nowhere. */
function familiesOfThisMachine(): ReadonlySet<number> {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const leading = addresses.filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address))
  return new Set(leading.map(({ family }) => (family === 'IPv6' ? 6 : 4)))
}

function inOrder(addresses: readonly ResolvedAddress[], families: ReadonlySet<number>): ResolvedAddress[] {
  const reachable = addresses.filter(({ family }) => families.has(family))
  const usable = reachable.length > 0 ? reachable : addresses
  return usable.toSorted((a, b) => a.family - b.family).slice(0, MOST_ADDRESSES)
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
