import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A request as far as its address goes. `ip` is the client address that trusted proxies name, else the peer's. */
type Addressed = { ip: string; socket: { remoteAddress?: string | undefined } }

/**
 * Returns the address that a request counts for. Some proxies write a port behind the address of the client. What is no
 * address counts for the peer: anybody can write it, and differently each time.
 */
export function addressOf({ ip, socket }: Addressed): string {
  const address = withoutPort(ip)
  return isIP(address) ? address : (socket.remoteAddress ?? '')
}

/** Removes the port of `203.0.113.9:443`, and port and brackets of `[2001:db8::1]:443`. */
const withoutPort = (address: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address

/** The first half of an IPv6 address names the network of one customer. */
const NETWORK_GROUPS = 4

/** Returns the network that an address counts for: itself for IPv4, its first 64 bits for IPv6. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const groups = parsed.parts.slice(0, NETWORK_GROUPS)
  return groups.map((group) => group.toString(16)).join(':')
}

/** Addresses that stand for all addresses of a machine. A browser cannot open them. */
const ALL_ADDRESSES = new Set(['0.0.0.0', '::'])

type AddressSettings = { PUBLIC_URL?: string | undefined; HOST: string; PORT: number }

/** Returns the URL that people open, without a path: PUBLIC_URL, else the address of this server. */
export function publicUrlOf({ PUBLIC_URL, HOST, PORT }: AddressSettings): string {
  return PUBLIC_URL ?? serverUrl({ address: HOST, port: PORT })
}

/** Returns the URL of a server. One that listens on all addresses is named by the loopback address. */
export function serverUrl({ address, port }: { address: string; port: number }): string {
  const host = ALL_ADDRESSES.has(address) ? '127.0.0.1' : address
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
