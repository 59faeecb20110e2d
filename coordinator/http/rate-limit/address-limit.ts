import { isIPv6 } from 'node:net'
import { type BucketState, type RatePolicy, type Reading, read, take } from './bucket.ts'

/** Limits requests that have no account, by client address. */
export type AddressLimit = { take(address: string, now?: Date): { granted: boolean; reading: Reading } }

/** So many addresses are remembered; each takes about 200 bytes. */
const MAX_ADDRESSES = 50_000

/**
 * A limit kept in this process's memory, so that a request without a valid credential costs no query. Each replica
 * counts for itself, which only such requests can make use of. Who floods it with addresses pushes out those
 * not seen for longest, which had time to fill up again.
 */
export function createAddressLimit(policy: RatePolicy): AddressLimit {
  const buckets = new Map<string, BucketState>()
  return {
    take(address, now = new Date()) {
      const network = networkOf(address)
      const { granted, ...state } = take(buckets.get(network), policy, now)
      buckets.delete(network) // the map keeps the order of insertion: the oldest is first
      buckets.set(network, state)
      const oldest = buckets.size > MAX_ADDRESSES ? buckets.keys().next().value : undefined
      if (oldest !== undefined) buckets.delete(oldest)
      return { granted: granted === 1, reading: read(state, policy) }
    },
  }
}

/** Whom an address stands for: itself, or for IPv6 its first 64 bits, since one customer has all addresses behind them. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
