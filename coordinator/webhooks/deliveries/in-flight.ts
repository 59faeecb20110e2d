/** Limits the attempts in flight, in total and per host. */
export type InFlightLimiter = {
  /** How many more attempts may start now. */
  room(): number
  /** Whether one more attempt to this host may start. */
  hasRoom(host: string): boolean
  /** Counts an attempt until it ends, and resolves then. The attempt must not reject. */
  track(host: string, attempt: Promise<unknown>): Promise<void>
  /** Resolves when no attempt is in flight. */
  idle(): Promise<void>
}

export function createInFlightLimiter({ total, perHost }: { total: number; perHost: number }): InFlightLimiter {
  const all = new Set<Promise<unknown>>()
  const hosts = new Map<string, number>()
  return {
    room: () => total - all.size,
    hasRoom: (host) => all.size < total && (hosts.get(host) ?? 0) < perHost,
    track(host, attempt) {
      hosts.set(host, (hosts.get(host) ?? 0) + 1)
      const tracked = attempt.then(() => {
        all.delete(tracked)
        const left = (hosts.get(host) ?? 1) - 1
        if (left > 0) hosts.set(host, left)
        else hosts.delete(host)
      })
      all.add(tracked)
      return tracked
    },
    async idle() {
      await Promise.all(all)
    },
  }
}
