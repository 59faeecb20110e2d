import { createTally } from '@placefleet/shared/tally'
import { monotonicNow } from '@placefleet/shared/timing'
import type { Capacity } from '../../mongo/due-work.ts'
import { isByHand } from './documents.ts'

/**
 * How long a host rests that gave no response, in milliseconds. Each of its waiting deliveries would fail at once and make
 * room for the next one, so a host that refuses connections would keep the coordinator and the database busy.
 */
const REST_MS = 2_000

/** Attempts by hand in flight to a host: few, because it has others. */
const BY_HAND = 2

/** Limits the attempts in flight, in total and per queue. */
export type InFlightLimiter = {
  /** How many more attempts may start now, in total and of a queue. */
  room(): Capacity
  /**
   * Counts an attempt until it ends, and resolves then. A queue whose host gave no response gets no attempt for a
   * while. The attempt must not reject.
   */
  track(queue: string, attempt: Promise<{ answered: boolean }>): Promise<void>
  /** Resolves when no attempt is in flight. */
  idle(): Promise<void>
}

/** Creates a limiter. `now` is a clock in milliseconds, for tests. */
export function createInFlightLimiter(
  { total, perHost }: { total: number; perHost: number },
  now: () => number = monotonicNow,
): InFlightLimiter {
  const all = new Set<Promise<unknown>>()
  const queues = createTally()
  const most = (queue: string) => (isByHand(queue) ? Math.min(BY_HAND, perHost) : perHost)
  const restUntil = new Map<string, number>()
  const resting = () => {
    for (const [queue, until] of restUntil) if (until <= now()) restUntil.delete(queue)
    return [...restUntil.keys()]
  }
  return {
    room() {
      const busy = queues.atLeast(Math.min(BY_HAND, perHost)).filter((queue) => queues.of(queue) >= most(queue))
      const of = (queue: string) => (restUntil.has(queue) ? 0 : most(queue) - queues.of(queue))
      return { total: total - all.size, of, full: [...resting(), ...busy] }
    },
    track(queue, attempt) {
      queues.add(queue)
      const tracked = attempt.then(({ answered }) => {
        if (!answered) restUntil.set(queue, now() + REST_MS)
        all.delete(tracked)
        queues.remove(queue)
      })
      all.add(tracked)
      return tracked
    },
    async idle() {
      await Promise.all(all)
    },
  }
}
