/** Lets one piece of work a host run at a time. */
export type HostTurns = {
  /** Runs the work once all that was asked for this host before is over. */
  run<T>(host: string, work: () => Promise<T>): Promise<T>
}

/** Turns of no host yet. */
export function createHostTurns(): HostTurns {
  const last = new Map<string, Promise<unknown>>()
  return {
    run(host, work) {
      const mine = (last.get(host) ?? Promise.resolve()).then(work, work)
      last.set(host, mine)
      const forget = () => {
        if (last.get(host) === mine) last.delete(host)
      }
      mine.then(forget, forget)
      return mine
    },
  }
}
