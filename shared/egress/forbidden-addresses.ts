import ipaddr from 'ipaddr.js'

/**
 * Why connecting to an address is forbidden. `not_an_address`: any text that is not one canonical IPv4 or IPv6 address.
 */
export type ForbiddenReason =
  | 'not_an_address'
  | 'unspecified'
  | 'private'
  | 'loopback'
  | 'link_local'
  | 'carrier_nat'
  | 'metadata'
  | 'protocol_assignment'
  | 'documentation'
  | 'benchmarking'
  | 'multicast'
  | 'reserved'
  | 'relay'
  | 'embedded_ipv4'
  | 'not_global'

type Row = readonly [cidr: string, reason: ForbiddenReason]
type Range = readonly [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number, reason: ForbiddenReason]

// IANA IPv4 Special-Purpose Address Registry (RFC 6890), multicast (RFC 5771), and the metadata services of the clouds
// (AWS, GCP, Azure: 169.254.169.254; Azure wire server; Alibaba; Oracle). First match wins.
const IPV4: readonly Row[] = [
  ['169.254.169.254/32', 'metadata'],
  ['169.254.170.0/24', 'metadata'],
  ['168.63.129.16/32', 'metadata'],
  ['100.100.100.200/32', 'metadata'],
  ['192.0.0.192/32', 'metadata'],
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['172.16.0.0/12', 'private'],
  ['192.168.0.0/16', 'private'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link_local'],
  ['100.64.0.0/10', 'carrier_nat'],
  ['192.0.0.0/24', 'protocol_assignment'],
  ['192.0.2.0/24', 'documentation'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['198.18.0.0/15', 'benchmarking'],
  ['192.31.196.0/24', 'protocol_assignment'],
  ['192.52.193.0/24', 'protocol_assignment'],
  ['192.175.48.0/24', 'protocol_assignment'],
  ['192.88.99.0/24', 'relay'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
]

// IANA IPv6 Special-Purpose Address Registry. Only 2000::/3 is global unicast, so everything else is `not_global`; the
// rows outside it give a better reason. Ranges that embed an IPv4 address are refused for every address, but for NAT64.
const IPV6: readonly Row[] = [
  ['fd00:ec2::/32', 'metadata'],
  ['fd20:ce::254/128', 'metadata'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'embedded_ipv4'],
  ['::ffff:0:0:0/96', 'embedded_ipv4'],
  ['::/96', 'embedded_ipv4'],
  ['64:ff9b:1::/48', 'embedded_ipv4'],
  ['2002::/16', 'embedded_ipv4'],
  ['2001::/32', 'embedded_ipv4'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
  ['2001::/23', 'protocol_assignment'],
  ['2620:4f:8000::/48', 'protocol_assignment'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link_local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
  ['100::/64', 'reserved'],
  ['5f00::/16', 'protocol_assignment'],
]

/** NAT64 (RFC 6052): behind it, a host without IPv4 reaches the IPv4 address in the last four bytes. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')
const IPV4_RANGES = IPV4.map(toRange)
const IPV6_RANGES = IPV6.map(toRange)

function toRange([cidr, reason]: Row): Range {
  const [network, bits] = ipaddr.parseCIDR(cidr)
  return [network, bits, reason]
}

/**
 * Returns whether an address is globally routable, or why it is refused. Its input is canonical text from a resolver or
 * the WHATWG parser: four decimal parts, or IPv6 without brackets. Other spellings (octal, hex, short, with a zone) are
 * `not_an_address`: normalise with `new URL` first.
 */
export function classifyAddress(address: string): 'public' | ForbiddenReason {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    return reasonIn(IPV4_RANGES, ipaddr.IPv4.parse(address)) ?? 'public'
  }
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return 'not_an_address'
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.match(NAT64)) return classifyAddress(parsed.toByteArray().slice(-4).join('.'))
  return reasonIn(IPV6_RANGES, parsed) ?? (parsed.match(GLOBAL_UNICAST) ? 'public' : 'not_global')
}

function reasonIn(ranges: readonly Range[], address: ipaddr.IPv4 | ipaddr.IPv6): ForbiddenReason | undefined {
  return ranges.find(([network, bits]) => address.match(network, bits))?.[2]
}
