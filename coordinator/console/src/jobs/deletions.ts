import { useSyncExternalStore } from 'react'

/** How long a deletion can be taken back. */
export const UNDO_MS = 6_000

/** Jobs that are hidden already and deleted once the time to take it back is over. */
const waiting = new Map<string, { timer: number; send(): void }>()
let ids: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

/** Hides a job at once and calls `send` when the time to take it back is over, or when the page is left. */
export function deleteLater(id: string, send: () => void): void {
  const timer = window.setTimeout(() => finish(id), UNDO_MS)
  waiting.set(id, { timer, send })
  changed()
}

/** Takes a deletion back, if it is still time. */
export function keep(id: string): void {
  window.clearTimeout(waiting.get(id)?.timer)
  waiting.delete(id)
  changed()
}

/** The jobs that must not be shown any more. */
export const useHiddenJobs = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => ids,
  )

/** Sent jobs stay hidden, so that no answer that is under way shows them again. */
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
