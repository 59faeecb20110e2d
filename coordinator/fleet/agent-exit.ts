import { isIP } from 'node:net'
import type { Metadata } from '@grpc/grpc-js'
import { classifyAddress } from '@placefleet/shared/egress/forbidden-addresses'
import { EXIT_METADATA, ExitName } from '@placefleet/shared/protocol'
import ipaddr from 'ipaddr.js'
import type { ExitId, ExitIds } from '../exits/documents.ts'
import { networkOf } from '../http/addresses.ts'

/**
 * How the own exit of an agent is known. `name`: its EXIT_NAME. `address`: the coordinator sees it there. `forwarded`: a
 * trusted proxy names this address. `network`: the coordinator sees a private address; all such agents probably leave by
 * the same public one.
 */
export const EXIT_KNOWN_BY = ['name', 'address', 'forwarded', 'network'] as const

/** The own exit of an agent, without a proxy. */
export type AgentExit = ExitId & { name: string; by: (typeof EXIT_KNOWN_BY)[number] }

/** The exit of agents on private addresses. */
const PRIVATE_NETWORK = 'private network'

/** Returns the own exit of the agent behind a call that came from an address. */
export type ExitOfCall = (metadata: Metadata, address: string) => AgentExit

/** @param trusted addresses and CIDRs of the proxies whose `x-forwarded-for` counts. */
export function createExitOfCall(ids: ExitIds, trusted: readonly string[]): ExitOfCall {
  const isTrusted = trustedBy(trusted)
  return (metadata, address) => {
    const [value] = metadata.get(EXIT_METADATA)
    const named = ExitName.safeParse(value)
    if (named.success) return exitBy(ids, 'name', named.data)
    const forwarded = metadata.get('x-forwarded-for').join(',')
    const client = clientOf(address, forwarded, isTrusted)
    if (classifyAddress(plain(client)) !== 'public') return exitBy(ids, 'network', PRIVATE_NETWORK)
    return exitBy(ids, client === address ? 'address' : 'forwarded', networkOf(client))
  }
}

const exitBy = (ids: ExitIds, by: AgentExit['by'], name: string): AgentExit => ({ ...ids.direct(name), name, by })

/** Returns the last address that no trusted proxy has. Anybody can write what stands before it. */
function clientOf(peer: string, forwarded: string, isTrusted: (address: string) => boolean): string {
  const hops = forwarded.split(',').map((hop) => hop.trim())
  let client = peer
  while (isTrusted(client)) {
    const before = hops.pop()
    if (before === undefined || isIP(before) === 0) break
    client = before
  }
  return client
}

function trustedBy(trusted: readonly string[]): (address: string) => boolean {
  const networks = trusted.map((network) =>
    network.includes('/') ? ipaddr.parseCIDR(network) : ([ipaddr.process(network), undefined] as const),
  )
  return (address) => {
    if (!ipaddr.isValid(address)) return false
    const own = ipaddr.process(address)
    return networks.some(([network, bits]) => {
      if (network.kind() !== own.kind()) return false
      const all = own.kind() === 'ipv4' ? 32 : 128
      return own.match(network, bits ?? all)
    })
  }
}

/** Returns an IPv4 address that is written as IPv6 in its own form. */
const plain = (address: string): string => (ipaddr.isValid(address) ? ipaddr.process(address).toString() : address)
