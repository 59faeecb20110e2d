import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { type BucketState, type RatePolicy, type Reading, read, take } from './bucket.ts'

/** Limits requests without an account, by client address. */
export type AddressLimit = {
  /** Takes one token of an address. */
  take(address: string, now?: Date): { granted: boolean; reading: Reading }
  /** Whether an address has no token left. Takes none. */
  isExhausted(address: string, now?: Date): boolean
}

/** Each remembered address takes about 200 bytes. */
const MAX_ADDRESSES = 50_000

/** The first half of an IPv6 address names the network of one customer. */
const NETWORK_GROUPS = 4

/**
 * Keeps the buckets in memory, so a request without a valid credential costs no query. Each replica counts for itself.
 * When the table is full, the address that was idle longest is dropped; by then its bucket has refilled.
 */
export function createAddressLimit(policy: RatePolicy): AddressLimit {
  const buckets = new LRUCache<string, BucketState>({ max: MAX_ADDRESSES })
  return {
    take(address, now = new Date()) {
      const network = networkOf(address)
      const { granted, ...state } = take(buckets.get(network), policy, now)
      buckets.set(network, state)
      return { granted: granted === 1, reading: read(state, policy) }
    },
    isExhausted: (address, now = new Date()) => take(buckets.get(networkOf(address)), policy, now).granted === 0,
  }
}

/** Returns the network that an address counts for: itself for IPv4, its first 64 bits for IPv6. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const groups = parsed.parts.slice(0, NETWORK_GROUPS)
  return groups.map((group) => group.toString(16)).join(':')
}
