import type { RefusalRules } from './modes/refusals.ts'

/** Why and for how long an exit is refused. */
export interface Block {
  /** Milliseconds since 1970; Infinity while an option blocks the exit. */
  until: number
  /** Whether the block began before this request. */
  running: boolean
}

/** The site's memory of client addresses. */
export interface Exits {
  /** Returns whether the last request of an address is refused. */
  judge(address: string, rules: RefusalRules): Block | undefined
  /** Forgets every address and ends every block. */
  reset(): void
}

interface Exit {
  windowEnds: number
  inWindow: number
  blocks: number
  blockMs: number
  blockedUntil: number
}

/** Creates an empty memory of exits. `clock` returns milliseconds since 1970. */
export function createExits(clock: () => number = Date.now): Exits {
  const exits = new Map<string, Exit>()
  const exitOf = (address: string): Exit => {
    const exit = exits.get(address) ?? { windowEnds: 0, inWindow: 0, blocks: 0, blockMs: 0, blockedUntil: 0 }
    exits.set(address, exit)
    return exit
  }
  return {
    judge(address, { blocked, rateLimit, blockGrows }) {
      if (blocked === 'everyone' || blocked.includes(address)) return { until: Number.POSITIVE_INFINITY, running: true }
      const [exit, now] = [exitOf(address), clock()]
      if (now < exit.blockedUntil) {
        if (blockGrows) exit.blockedUntil = now + exit.blockMs
        return { until: exit.blockedUntil, running: true }
      }
      if (!rateLimit || rateLimit.addresses?.includes(address) === false) return undefined
      if (now >= exit.windowEnds) Object.assign(exit, { windowEnds: now + rateLimit.windowMs, inWindow: 0 })
      if (++exit.inWindow <= rateLimit.requests) return undefined
      const blockMs = blockGrows ? rateLimit.blockMs * 2 ** exit.blocks++ : rateLimit.blockMs
      Object.assign(exit, { blockMs, blockedUntil: now + blockMs, windowEnds: 0 })
      return { until: exit.blockedUntil, running: false }
    },
    reset: () => exits.clear(),
  }
}
