import type { Exchange } from './exchange.ts'

/** The kind of a request. */
export type Kind =
  | `${'maps' | 'search' | 'place'}-page`
  | `${'search' | 'place'}-payload`
  | 'reviews'
  | 'photos'
  | 'image'
  | 'asset'
  | 'consent'
  | 'sorry'
  | 'other'

/** Why a request was refused. */
export type Refusal = 'blocked' | 'rate-limited' | 'blocked-still' | 'consent' | 'rejected' | 'failed'

type Counts<Name extends string> = Partial<Record<Name, number>>

/** A refused request: when it arrived and when it was refused (milliseconds since 1970), and its client address. */
export interface RefusalRecord {
  askedAt: number
  at: number
  refusal: Refusal
  kind: Kind
  address: string
}

/** Requests since the start or the last reset. */
export interface RequestCounts {
  total: number
  kinds: Counts<Kind>
  /** By the client's address. */
  addresses: Record<string, Counts<Kind>>
  /**
   * Requests refused, by reason and kind: `blocked` (no browser), `rate-limited` (a block of the exit began),
   * `blocked-still` (asked during one), `consent` (sent to the wall), `rejected` (400, 403), `failed` (injected
   * failures).
   */
  refused: Record<Refusal, Counts<Kind>>
  /** Refused requests by the client's address. */
  refusedAddresses: Record<string, Counts<Refusal>>
  /** The last 10,000 refused requests, oldest first. */
  refusals: RefusalRecord[]
}

const bump = <Name extends string>(counts: Counts<Name>, name: Name) => {
  counts[name] = (counts[name] ?? 0) + 1
}

const none = (): RequestCounts => ({
  total: 0,
  kinds: {},
  addresses: {},
  refused: { blocked: {}, 'rate-limited': {}, 'blocked-still': {}, consent: {}, rejected: {}, failed: {} },
  refusedAddresses: {},
  refusals: [],
})

const MOST_REFUSALS = 10_000

/** Counts requests by kind and by client address. */
export interface Counters {
  count(kind: Kind, address: string): void
  refuse(refusal: Refusal, kind: Kind, by: Pick<Exchange, 'address' | 'askedAt'>): void
  read(): RequestCounts
  reset(): void
}

/** Creates counters at zero. */
export function createCounters(): Counters {
  let counts = none()
  return {
    count(kind, address) {
      counts.total++
      bump(counts.kinds, kind)
      counts.addresses[address] ??= {}
      bump(counts.addresses[address], kind)
    },
    refuse(refusal, kind, { address, askedAt }) {
      bump(counts.refused[refusal], kind)
      counts.refusedAddresses[address] ??= {}
      bump(counts.refusedAddresses[address], refusal)
      counts.refusals.push({ askedAt, at: Date.now(), refusal, kind, address })
      if (counts.refusals.length > MOST_REFUSALS) counts.refusals.shift()
    },
    read: () => structuredClone(counts),
    reset() {
      counts = none()
    },
  }
}
