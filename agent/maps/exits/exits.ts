import { createExit, type Exit, type ExitDeps } from './exit.ts'
import type { RestReason } from './rules.ts'

/** The exits of an agent, in memory only: their URLs hold passwords. */
export type Exits = {
  /** The exit of a proxy, known by its whole URL; without one, this machine's own address. */
  of(proxy: string | undefined): Exit
  /** How many exits rest now, by reason. */
  resting(): Record<RestReason, number>
}

const MOST_REMEMBERED = 10_000

/** No exits yet. */
export function createExits(deps: ExitDeps): Exits {
  const known = new Map<string | undefined, Exit>()
  return {
    of(proxy) {
      const exit = known.get(proxy) ?? createExit(proxy, deps)
      known.delete(proxy)
      known.set(proxy, exit)
      const [oldest] = known.size > MOST_REMEMBERED ? known.keys() : []
      if (oldest !== undefined) known.delete(oldest)
      return exit
    },
    resting() {
      const counts = { blocked: 0, consent: 0, failed: 0 }
      for (const exit of known.values()) {
        const rest = exit.rest()
        if (rest) counts[rest.reason]++
      }
      return counts
    },
  }
}

/**
 * The order in which a task tries its exits: it begins at a place that depends on the task, so that tasks spread over
 * them, and puts those that rest last, soonest rested first.
 */
export function orderFor(taskId: string, exits: readonly Exit[]): Exit[] {
  const start = exits.length === 0 ? 0 : hash(taskId) % exits.length
  const turned = [...exits.slice(start), ...exits.slice(0, start)]
  const restsUntil = (exit: Exit) => exit.rest()?.until ?? 0
  return turned.toSorted((a, b) => restsUntil(a) - restsUntil(b))
}

// FNV-1a, 32 bits: any spread will do.
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}
