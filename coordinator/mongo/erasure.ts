import type { Db, Document, ObjectId } from 'mongodb'
import { collection } from './connect.ts'
import { BY_ID } from './indexes.ts'

/** What an erasure does in one collection: it updates the documents of a filter, or removes them. */
export type ErasureStep = { collection: string; filter: Document; update: Document | Document[] | 'remove' }

/** The id of a document. The ids of a collection are of one type. */
export type DocumentId = string | number | ObjectId

/** One command looks at so many documents: it ends long before the socket times out, however large they are. */
const BATCH = 1_000

/**
 * Takes a step of an erasure, in the order of the ids. No index has what is erased, so it looks at every document
 * behind
 * `after`, a batch at a time. After each batch it says how far it came and how many documents changed. Safe to repeat.
 */
export async function eraseInBatches(
  db: Db,
  { collection: name, filter, update }: ErasureStep,
  after?: DocumentId,
  onBatch: (last: DocumentId, changed: number) => Promise<void> = async () => undefined,
): Promise<void> {
  const documents = collection<{ _id: DocumentId }>(db, name)
  for (let reached = after; ; ) {
    const ids = await documents
      .find(reached === undefined ? {} : { _id: { $gt: reached } }, { projection: { _id: 1 }, ...BY_ID })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray()
    const [first, last] = [ids[0]?._id, ids.at(-1)?._id]
    if (first === undefined || last === undefined) return
    const inBatch = { ...filter, _id: { $gte: first, $lte: last } }
    const changed =
      update === 'remove'
        ? (await documents.deleteMany(inBatch, BY_ID)).deletedCount
        : (await documents.updateMany(inBatch, update, BY_ID)).modifiedCount
    reached = last
    await onBatch(last, changed)
  }
}
