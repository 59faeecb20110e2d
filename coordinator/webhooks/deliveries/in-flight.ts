import { createTally } from '@placefleet/shared/tally'
import { monotonicNow } from '@placefleet/shared/timing'
import type { Room } from '../../mongo/due-work.ts'

/**
 * How long a host rests that gave no response, in milliseconds. Each of its waiting deliveries would fail at once and make
 * room for the next one, so a host that refuses connections would keep the coordinator and the database busy.
 */
const REST_MS = 2_000

/** Limits the attempts in flight, in total and per host. */
export type InFlightLimiter = {
  /** How many more attempts may start now, in total and to a host. */
  room(): Room
  /**
   * Counts an attempt until it ends, and resolves then. A host that gave no response gets no further attempt for a while.
   * The attempt must not reject.
   */
  track(host: string, attempt: Promise<{ answered: boolean }>): Promise<void>
  /** Resolves when no attempt is in flight. */
  idle(): Promise<void>
}

/** Creates a limiter. `now` is a clock in milliseconds, for tests. */
export function createInFlightLimiter(
  { total, perHost }: { total: number; perHost: number },
  now: () => number = monotonicNow,
): InFlightLimiter {
  const all = new Set<Promise<unknown>>()
  const hosts = createTally()
  const restUntil = new Map<string, number>()
  const resting = () => {
    for (const [host, until] of restUntil) if (until <= now()) restUntil.delete(host)
    return [...restUntil.keys()]
  }
  return {
    room() {
      const full = [...resting(), ...hosts.atLeast(perHost)]
      return { total: total - all.size, of: (host) => (restUntil.has(host) ? 0 : perHost - hosts.of(host)), full }
    },
    track(host, attempt) {
      hosts.add(host)
      const tracked = attempt.then(({ answered }) => {
        if (!answered) restUntil.set(host, now() + REST_MS)
        all.delete(tracked)
        hosts.remove(host)
      })
      all.add(tracked)
      return tracked
    },
    async idle() {
      await Promise.all(all)
    },
  }
}
