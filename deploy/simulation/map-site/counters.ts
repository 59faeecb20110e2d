import type { Kind } from './classify.ts'
import type { Exchange } from './exchange.ts'

/**
 * Why a request was refused: it came from no browser (`blocked`), a block of the exit began (`rate-limited`), it came
 * during one (`blocked-still`), it was sent to the wall of consent, the site cannot read or answers it with an error
 * (`rejected`), or an injected failure.
 */

export type Refusal = 'blocked' | 'rate-limited' | 'blocked-still' | 'consent' | 'rejected' | 'failed'

type Counts = Partial<Record<Kind, number>>

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
  kinds: Counts
  /** By the client's address. */
  addresses: Record<string, Counts>
  refused: Record<Refusal, Counts>
  /** The last 10,000 refused requests, oldest first. */
  refusals: RefusalRecord[]
}

const bump = (counts: Counts, kind: Kind) => {
  counts[kind] = (counts[kind] ?? 0) + 1
}

const none = (): RequestCounts => ({
  total: 0,
  kinds: {},
  addresses: {},
  refused: { blocked: {}, 'rate-limited': {}, 'blocked-still': {}, consent: {}, rejected: {}, failed: {} },
  refusals: [],
})

const MOST_REFUSALS = 10_000

/** Counts requests by kind and by client address. */
export function createCounters() {
  let counts = none()
  return {
    count(kind: Kind, address: string) {
      counts.total++
      bump(counts.kinds, kind)
      counts.addresses[address] ??= {}
      bump(counts.addresses[address], kind)
    },
    refuse(refusal: Refusal, kind: Kind, { address, askedAt }: Exchange) {
      bump(counts.refused[refusal], kind)
      counts.refusals.push({ askedAt, at: Date.now(), refusal, kind, address })
      if (counts.refusals.length > MOST_REFUSALS) counts.refusals.shift()
    },
    read: (): RequestCounts => structuredClone(counts),
    reset() {
      counts = none()
    },
  }
}
