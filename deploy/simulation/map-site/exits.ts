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

const newExit = (): Exit => ({
  windowEnds: 0,
  inWindow: 0,
  blocks: 0,
  blockMs: 0,
  blockedUntil: 0,
})

const concerns = (rule: { addresses?: string[] | undefined } | null, address: string) =>
  rule !== null && (rule.addresses === undefined || rule.addresses.includes(address))

const isShut = ({ blocked }: RefusalRules, address: string) => blocked === 'everyone' || blocked.includes(address)

/** Creates an empty memory of exits. `clock` returns milliseconds since 1970. */
export function createExits(clock: () => number = Date.now): Exits {
  const exits = new Map<string, Exit>()
  const exitOf = (address: string): Exit => {
    const exit = exits.get(address) ?? newExit()
    exits.set(address, exit)
    return exit
  }
  return {
    judge(address, rules) {
      if (isShut(rules, address)) return { until: Number.POSITIVE_INFINITY, running: true }
      const [exit, now] = [exitOf(address), clock()]
      if (now < exit.blockedUntil) {
        if (rules.blockGrows) exit.blockedUntil = now + exit.blockMs
        return { until: exit.blockedUntil, running: true }
      }
      const ms = blockFor(address, exit, now, rules)
      return ms === undefined ? undefined : begin(exit, now, ms, rules)
    },
    reset: () => exits.clear(),
  }
}

/** Returns the length of the block that begins with this request, if any. */
function blockFor(address: string, exit: Exit, now: number, rules: RefusalRules): number | undefined {
  const { rateLimit } = rules
  if (rateLimit && concerns(rateLimit, address)) {
    if (now >= exit.windowEnds) Object.assign(exit, { windowEnds: now + rateLimit.windowMs, inWindow: 0 })
    if (++exit.inWindow > rateLimit.requests) return rateLimit.blockMs
  }
  return undefined
}

function begin(exit: Exit, now: number, ms: number, { blockGrows }: RefusalRules): Block {
  exit.blockMs = blockGrows ? ms * 2 ** exit.blocks : ms
  exit.blocks++
  exit.blockedUntil = now + exit.blockMs
  Object.assign(exit, { windowEnds: 0, inWindow: 0 })
  return { until: exit.blockedUntil, running: false }
}
