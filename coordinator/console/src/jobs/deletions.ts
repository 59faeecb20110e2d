import { useSyncExternalStore } from 'react'

/** How long a deletion can be undone. */
export const UNDO_MS = 6_000

/** Hidden jobs that are deleted once the undo time has passed. */
const waiting = new Map<string, { timer: number; send(): void }>()
let ids: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

/** Hides a job at once, and calls `send` when the undo time has passed or the user leaves the page. */
export function deleteLater(id: string, send: () => void): void {
  const timer = window.setTimeout(() => finish(id), UNDO_MS)
  waiting.set(id, { timer, send })
  changed()
}

/** Cancels a deletion that was not sent yet. */
export function keep(id: string): void {
  window.clearTimeout(waiting.get(id)?.timer)
  waiting.delete(id)
  changed()
}

/** Returns the hidden jobs. */
export const useHiddenJobs = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => ids,
  )

/** Jobs stay hidden after their deletion was sent, so that no response in flight shows them again. */
function finish(id: string): void {
  const deletion = waiting.get(id)
  waiting.delete(id)
  deletion?.send()
}

function changed(): void {
  ids = new Set([...ids].filter((id) => waiting.has(id)).concat([...waiting.keys()]))
  for (const listener of listeners) listener()
}

window.addEventListener('pagehide', () => {
  for (const id of [...waiting.keys()]) finish(id)
})
