/** What is under way, in all and to each host. */
export type Flights = {
  /** How many more may be started now. */
  room(): number
  /** Whether one more may be started, to this host. */
  hasRoom(host: string): boolean
  /** Counts a flight to a host until it ends, and resolves then. It must not reject. */
  add(host: string, flight: Promise<unknown>): Promise<void>
  /** Resolves when none is under way. */
  landed(): Promise<void>
}

/** No flights yet, and bounds for them. */
export function createFlights({ total, perHost }: { total: number; perHost: number }): Flights {
  const all = new Set<Promise<unknown>>()
  const hosts = new Map<string, number>()
  return {
    room: () => total - all.size,
    hasRoom: (host) => all.size < total && (hosts.get(host) ?? 0) < perHost,
    add(host, flight) {
      hosts.set(host, (hosts.get(host) ?? 0) + 1)
      const tracked = flight.then(() => {
        all.delete(tracked)
        const left = (hosts.get(host) ?? 1) - 1
        if (left > 0) hosts.set(host, left)
        else hosts.delete(host)
      })
      all.add(tracked)
      return tracked
    },
    async landed() {
      await Promise.all(all)
    },
  }
}
