import type { SiteOptions } from './options.ts'

/** Why and for how long an exit is refused. */
export interface Block {
  /** Milliseconds since 1970; Infinity while an option blocks the exit. */
  until: number
  /** Whether the block began before this request. */
  running: boolean
}

type Rules = Pick<SiteOptions, 'blocked' | 'rateLimit' | 'blockGrows'>

/** Creates the site's memory of client addresses. `clock` returns milliseconds since 1970. */
export function createExits(clock: () => number = Date.now) {
  const exits = new Map<string, ReturnType<typeof newExit>>()
  const newExit = () => ({ windowEnds: 0, inWindow: 0, blocks: 0, blockMs: 0, blockedUntil: 0 })
  return {
    /** Returns whether the last request of an address is refused. */
    judge(address: string, { blocked, rateLimit, blockGrows }: Rules): Block | undefined {
      if (blocked === 'everyone' || blocked.includes(address)) return { until: Number.POSITIVE_INFINITY, running: true }
      const [exit, now] = [exits.get(address) ?? newExit(), clock()]
      exits.set(address, exit)
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
    /** Forgets every address and ends every block. */
    reset: () => exits.clear(),
  }
}
