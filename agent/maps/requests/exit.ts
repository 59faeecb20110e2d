import type { RestReason } from '@placefleet/shared/exits/rules'
import { setNewest } from '@placefleet/shared/newest'
import { monotonicNow } from '@placefleet/shared/timing'
import type { Answer } from '../answers/classify.ts'
import type { Door } from '../urls/door.ts'
import { createClientMemory } from './client-memory.ts'
import { verdictIn } from './failure.ts'
import { createLocalKeeper, type KeeperFor } from './keeper.ts'
import { type AgentExitLimits, createTurns } from './turns.ts'
import type { AnswerVerdict, Verdict } from './verdicts.ts'

type ExitDeps = {
  readonly limits: AgentExitLimits
  /** Keeps the exits that the agent shares with others. Undefined: it shares none. */
  readonly keeperFor?: KeeperFor | undefined
  readonly onVerdict?: ((verdict: Verdict, door: Door) => void) | undefined
  readonly onUnknown?: ((answer: Answer) => void) | undefined
  readonly now?: () => number
  readonly random?: () => number
}

/** A proxy, or the own address, as the map site knows it. Shared by all tasks of the agent, and with other agents. */
export type Exit = ReturnType<typeof createExit>

/** Creates an exit that has sent nothing yet. Its times are in milliseconds of `monotonicNow`. */
export function createExit(proxy: string | undefined, deps: ExitDeps) {
  const { limits, keeperFor, onVerdict, onUnknown, now = monotonicNow, random = Math.random } = deps
  const isProxy = proxy !== undefined
  const keeper = keeperFor ? keeperFor(proxy) : createLocalKeeper(limits, { isProxy, now, random })
  const turns = createTurns({ limits, keeper, isProxy, now })
  return {
    /** The proxy's URL with its credentials, which must not be logged. Undefined: without a proxy. */
    proxy,
    memory: createClientMemory(now),
    /**
     * Sends one request to a door of the map site when the exit's pace allows it, and learns from the verdict on its
     * answer or error. After a refusal one request alone is sent, and the others wait for its answer. Throws the abort
     * reason at once, also while the request waits; ExitRests instead of sending while the exit rests; else the error
     * of `send`. Without a verdict, `noteAnswer` tells it later.
     */
    async request<T>(
      signal: AbortSignal,
      send: () => Promise<T>,
      verdictOn: (answer: T) => Verdict | undefined,
      door: Door = 'other',
    ): Promise<T> {
      const turn = await turns.next(signal)
      const startedAt = now()
      let judged: AnswerVerdict | undefined
      try {
        const answer = await send()
        const verdict = verdictOn(answer)
        judged = verdict && { verdict }
        return answer
      } catch (error) {
        judged = verdictIn(error)
        throw error
      } finally {
        const outcome = signal.aborted ? undefined : judged
        if (outcome) onVerdict?.(outcome.verdict, door)
        turns.ended(turn, outcome, startedAt)
      }
    },
    /** Records what the answer to a request says that started at this time. */
    noteAnswer(judged: AnswerVerdict, startedAt: number, door: Door): void {
      turns.noteAnswer(judged, startedAt)
      onVerdict?.(judged.verdict, door)
    },
    sawUnknown: (answer: Answer): void => onUnknown?.(answer),
    /** Counts an answer that lacks parts. It changes nothing of the exit. */
    countTrimmed: (door: Door): void => onVerdict?.('trimmed', door),
    rest: turns.rest,
    readyAt: turns.readyAt,
    /** When the site last refused the exit; 0 is never. */
    refusedAt: turns.refusedAt,
  }
}

/** The exits of an agent, in memory only: their URLs hold passwords. */
export type Exits = ReturnType<typeof createExits>

const MOST_REMEMBERED = 10_000

export function createExits(deps: ExitDeps) {
  const exits = new Map<string | undefined, Exit>()
  return {
    /** The exit of a proxy, known by its whole URL; without one, this machine's own address. */
    of(proxy: string | undefined): Exit {
      const exit = exits.get(proxy) ?? createExit(proxy, deps)
      setNewest(exits, proxy, exit, MOST_REMEMBERED)
      return exit
    },
    resting(): Record<RestReason, number> {
      const counts = { blocked: 0, consent: 0, failed: 0, unknown: 0 }
      for (const exit of exits.values()) {
        const rest = exit.rest()
        if (rest) counts[rest.reason]++
      }
      return counts
    },
  }
}

/**
 * Returns the order in which a task tries its exits. The first one depends on the task, so that tasks spread over the
 * exits. Resting exits come last, ordered by the end of their rest.
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
