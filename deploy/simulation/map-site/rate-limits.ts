import type { SiteOptions } from './options.ts'

type Rule = NonNullable<SiteOptions['rateLimit']>

/** Counts requests per client address over windows of real time. */
export interface RateLimits {
  /** Counts one request of an address and tells whether it is over the limit or still shut out. */
  isOver(address: string, rule: Rule): boolean
  /** Forgets everybody. */
  reset(): void
}

interface Visitor {
  windowEnds: number
  requests: number
  shutOutUntil: number
}

/** Makes limits with nobody counted yet. `clock` gives milliseconds. */
export function createRateLimits(clock: () => number = Date.now): RateLimits {
  const visitors = new Map<string, Visitor>()
  const visitorOf = (address: string, now: number, { windowMs }: Rule): Visitor => {
    const known = visitors.get(address)
    if (known && (now < known.windowEnds || now < known.shutOutUntil)) return known
    const fresh = { windowEnds: now + windowMs, requests: 0, shutOutUntil: 0 }
    visitors.set(address, fresh)
    return fresh
  }
  return {
    isOver(address, rule) {
      if (rule.addresses && !rule.addresses.includes(address)) return false
      const now = clock()
      const visitor = visitorOf(address, now, rule)
      if (now < visitor.shutOutUntil) return true
      visitor.requests++
      if (visitor.requests <= rule.requests) return false
      visitor.shutOutUntil = now + rule.blockMs
      return true
    },
    reset: () => visitors.clear(),
  }
}
