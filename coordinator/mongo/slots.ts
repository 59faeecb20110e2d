import { isDuplicateKey } from './failures.ts'
import type { Index } from './indexes.ts'

/**
 * How an owner's live documents are counted: each holds a slot from 0 to `limit` - 1, and a unique index over owner and
 * slot, partial on documents that have one, is the lock. To free a slot, unset it.
 */
export type Slots = {
  limit: number
  /** The key of the unique index. */
  key: Index['key']
  /** The slots the owner's documents hold now. */
  taken(): Promise<unknown[]>
  /** Inserts the document with this slot. */
  insert(slot: number): Promise<unknown>
}

/**
 * Inserts a document into a free slot of its owner, so that an owner never has more than `limit` live documents,
 * whatever the concurrency. Returns false when no slot is free.
 */
export async function insertInSlot({ limit, key, taken, insert }: Slots): Promise<boolean> {
  for (;;) {
    const held = new Set(await taken())
    const free = Array.from({ length: limit }, (_, slot) => slot).filter((slot) => !held.has(slot))
    const slot = free[Math.floor(Math.random() * free.length)] // rivals try different ones
    if (slot === undefined) return false
    try {
      await insert(slot)
      return true
    } catch (error) {
      if (!isDuplicateKey(error, key)) throw error
    }
  }
}
