import { abortable } from '@placefleet/shared/timing'
import type { InTurn } from './crawl.ts'

/** Runs the work for each host one after the other. */
export type HostTurns = {
  /** Runs the work after all earlier work for this host. Throws the abort reason at once, also while it waits. */
  readonly run: InTurn
}

/** Creates an empty queue of turns. */
export function createHostTurns(): HostTurns {
  const last = new Map<string, Promise<unknown>>()
  return {
    run(host, signal, work) {
      const mine = (last.get(host) ?? Promise.resolve()).then(() => {
        signal.throwIfAborted()
        return work()
      })
      const ended = mine.then(
        () => undefined,
        () => undefined,
      )
      last.set(host, ended)
      void ended.then(() => {
        if (last.get(host) === ended) last.delete(host)
      })
      return abortable(mine, signal)
    },
  }
}
