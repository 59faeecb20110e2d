import { useSyncExternalStore } from 'react'

/** How long a deletion can be undone. */
const UNDO_MS = 6_000

type Send = () => Promise<unknown>

/** Deletions that can be undone for a while. What is to be deleted is hidden at once, and stays hidden. */
export function createDeletions(undoMs = UNDO_MS) {
  const waiting = new Map<string, { timer: ReturnType<typeof setTimeout>; send: Send }>()
  const listeners = new Set<() => void>()
  let hidden: ReadonlySet<string> = new Set()

  const show = (ids: ReadonlySet<string>) => {
    hidden = ids
    for (const listener of listeners) listener()
  }
  const send = async (id: string) => {
    const deletion = waiting.get(id)
    waiting.delete(id)
    clearTimeout(deletion?.timer)
    await deletion?.send()
  }
  return {
    /** Hides an item, and calls `send` when the time to undo is over. */
    begin(id: string, sendDeletion: Send): void {
      waiting.set(id, { timer: setTimeout(() => void send(id), undoMs), send: sendDeletion })
      show(new Set([...hidden, id]))
    },
    /** Shows an item again, because the user undid its deletion or the deletion failed. */
    keep(id: string): void {
      clearTimeout(waiting.get(id)?.timer)
      waiting.delete(id)
      show(new Set([...hidden].filter((other) => other !== id)))
    },
    /** Sends all deletions now, because the user leaves. */
    async sendAll(): Promise<void> {
      await Promise.all([...waiting.keys()].map(send))
    },
    hidden: () => hidden,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const deletions = createDeletions()

/** Returns the jobs that are deleted or will be. */
export const useHiddenJobs = (): ReadonlySet<string> => useSyncExternalStore(deletions.subscribe, deletions.hidden)
