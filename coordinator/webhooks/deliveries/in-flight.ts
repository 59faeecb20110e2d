import { createTally } from '@placefleet/shared/tally'
import type { Room } from '../../mongo/due-work.ts'

/** Limits the attempts in flight, in total and per host. */
export type InFlightLimiter = {
  /** How many more attempts may start now, in total and to a host. */
  room(): Room
  /** Counts an attempt until it ends, and resolves then. The attempt must not reject. */
  track(host: string, attempt: Promise<unknown>): Promise<void>
  /** Resolves when no attempt is in flight. */
  idle(): Promise<void>
}

export function createInFlightLimiter({ total, perHost }: { total: number; perHost: number }): InFlightLimiter {
  const all = new Set<Promise<unknown>>()
  const hosts = createTally()
  return {
    room: () => ({
      total: total - all.size,
      of: (host) => perHost - hosts.of(host),
      full: hosts.atLeast(perHost),
    }),
    track(host, attempt) {
      hosts.add(host)
      const tracked = attempt.then(() => {
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
