import { type Addresses, type Lookup, resolvePublic } from '@placefleet/shared/egress/resolve'
import { type AllowHosts, checkTarget, type HostAndPort } from '@placefleet/shared/egress/target'

/** The rules for all outgoing connections of the agent. */
export type Guard = { readonly allow: AllowHosts; readonly lookup?: Lookup }

const UNRESOLVED = 'the host name could not be resolved; check the network and the name servers of this machine'

/** A forbidden target, or a name without an address. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused'
  readonly reason: string
  /** Whether no address was found. Then nothing was forbidden: the name is wrong, or this machine has no network. */
  readonly isUnresolved: boolean

  constructor(reason: string, cause?: unknown) {
    const isUnresolved = reason === 'lookup_failed'
    super(isUnresolved ? UNRESOLVED : `connection refused by the egress guard: ${reason}`, { cause })
    this.reason = reason
    this.isUnresolved = isUnresolved
  }
}

/** Allows the exemptions of the operator, and the map site, which may be a simulator on this machine. */
export function createGuard(allowHosts: AllowHosts, mapsBaseUrl: string, lookup?: Lookup): Guard {
  const maps = new URL(mapsBaseUrl)
  const port = maps.port === '' ? (maps.protocol === 'https:' ? '443' : '80') : maps.port
  const allow = new Set([...allowHosts, `${maps.hostname}:${port}`])
  return lookup ? { allow, lookup } : { allow }
}

/** Checks a target without a look-up, which is all that can be checked behind a proxy. Throws EgressRefused. */
export function vetTarget(target: string | URL | HostAndPort, guard: Guard): HostAndPort {
  const checked = checkTarget(target, guard.allow)
  if (!checked.ok) throw new EgressRefused(checked.reason)
  return { host: checked.host, port: checked.port }
}

/** Checks a target and resolves it to the addresses to connect to. Throws EgressRefused. */
export async function pinTarget(target: string | URL | HostAndPort, guard: Guard): Promise<Addresses> {
  const { host, port } = vetTarget(target, guard)
  const lookup = guard.lookup ? { lookup: guard.lookup } : {}
  const resolution = await resolvePublic(host, { allow: guard.allow, port, ...lookup })
  if (!resolution.ok) throw new EgressRefused(resolution.reason, resolution.cause)
  return resolution.addresses
}
