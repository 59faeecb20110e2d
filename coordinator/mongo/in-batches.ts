import type { Collection, Document, Filter, Sort } from 'mongodb'
import { BY_ID, type Index, using } from './indexes.ts'

/** A write of this many documents ends long before the socket times out. */
const BATCH = 1_000

type RemoveOptions = {
  index?: Index
  signal?: AbortSignal | undefined
  /** Which documents go first, and how many go at most. */
  sort?: Sort
  most?: number
}

/** Removes all documents of a filter, a batch at a time. Safe to repeat. Ends early when the signal aborts. */
export async function removeAll<Doc extends Document>(
  documents: Collection<Doc>,
  filter: Filter<Doc>,
  { index, signal, sort = {}, most }: RemoveOptions = {},
): Promise<void> {
  const hint = index === undefined ? {} : using(index)
  let removed = 0
  for (let limit = limitAfter(0, most); limit > 0 && !signal?.aborted; limit = limitAfter(removed, most)) {
    const batch = await documents
      .find(filter, { projection: { _id: 1 }, ...hint })
      .sort(sort)
      .limit(limit)
      .toArray()
    const inBatch = Object.assign({}, filter, { _id: { $in: batch.map(({ _id }) => _id) } })
    if (batch.length > 0) await documents.deleteMany(inBatch, BY_ID)
    removed += batch.length
    if (batch.length < limit) return
  }
}

/** Returns how many documents the next batch may have. */
const limitAfter = (removed: number, most = removed + BATCH) => Math.min(BATCH, most - removed)

/**
 * Updates all documents of a filter, a batch at a time. The update must take each out of the filter. Safe to repeat.
 * Ends early when the signal aborts.
 */
export async function updateAll<Doc extends Document>(
  documents: Collection<Doc>,
  filter: Filter<Doc>,
  update: Document[],
  { index, signal }: Pick<RemoveOptions, 'index' | 'signal'> = {},
): Promise<void> {
  const hint = index === undefined ? {} : using(index)
  for (let mayBeMore = true; mayBeMore && !signal?.aborted; ) {
    const batch = await documents
      .find(filter, { projection: { _id: 1 }, ...hint })
      .limit(BATCH)
      .toArray()
    const inBatch = Object.assign({}, filter, { _id: { $in: batch.map(({ _id }) => _id) } })
    if (batch.length > 0) await documents.updateMany(inBatch, update, BY_ID)
    mayBeMore = batch.length === BATCH
  }
}

/** Yields the items of a stream in lists of `size`; the last one may be shorter. */
export async function* batches<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    if (batch.push(item) < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
