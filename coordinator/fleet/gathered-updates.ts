import { setTimeout as sleep } from 'node:timers/promises'
import type { Document } from 'mongodb'

/** The updates that wait, by the id of their document, and the end of their write. */
type Gathering = { readonly updates: Map<string, Document[]>; readonly written: Promise<void> }

/**
 * Returns a function that gathers the updates of many documents for `gatherMs`, and then has them written at once. A
 * later update of a document replaces an earlier one. It resolves when its update is written, and rejects with the error
 * of `write`.
 */
export function createGatheredUpdates(
  write: (updates: ReadonlyMap<string, Document[]>) => Promise<unknown>,
  gatherMs: number,
): (id: string, update: Document[]) => Promise<void> {
  let gathering: Gathering | undefined
  const writeSoon = async (updates: Gathering['updates']) => {
    await sleep(gatherMs)
    gathering = undefined
    await write(updates)
  }
  return (id, update) => {
    if (!gathering) {
      const updates = new Map<string, Document[]>()
      gathering = { updates, written: writeSoon(updates) }
    }
    gathering.updates.set(id, update)
    return gathering.written
  }
}
