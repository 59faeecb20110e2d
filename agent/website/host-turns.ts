import { abortable } from '@placefleet/shared/timing'
import type { InTurn } from './crawl.ts'

/** Creates an empty queue for each host. Waiting for a turn ends with the abort reason at once. */
export function createHostTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (host, signal, work) => {
    const mine = (last.get(host) ?? Promise.resolve()).then(() => {
      signal.throwIfAborted()
      return work()
    })
    const ended = mine
      .catch(() => undefined)
      .finally(() => {
        if (last.get(host) === ended) last.delete(host)
      })
    last.set(host, ended)
    return abortable(mine, signal)
  }
}
