import type { Collection, Document, Filter } from 'mongodb'
import { using } from './indexes.ts'

/** A write of this many documents ends long before the socket times out. */
const BATCH = 1_000

/** Removes all documents of a filter, a batch at a time. Safe to repeat. Ends early when the signal aborts. */
export async function removeAll<Doc extends Document>(
  documents: Collection<Doc>,
  filter: Filter<Doc>,
  { index, signal }: { index?: string; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const hint = index === undefined ? {} : using(index)
  for (let more = true; more && !signal?.aborted; ) {
    const found = await documents
      .find(filter, { projection: { _id: 1 }, ...hint })
      .limit(BATCH)
      .toArray()
    const some = Object.assign({}, filter, { _id: { $in: found.map(({ _id }) => _id) } })
    if (found.length > 0) await documents.deleteMany(some, using('_id_'))
    more = found.length === BATCH
  }
}
