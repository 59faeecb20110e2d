import { BSON, type Db, type Document, type Sort } from 'mongodb'

/** A document as the server sent it, to the byte, and decoded. */
export type RawDocument = { raw: Uint8Array; document: Document }

/** Reads documents in the order of an index. */
export async function* readRaw(
  db: Db,
  collection: string,
  { filter = {}, order = { _id: 1 } }: { filter?: Document; order?: Record<string, 1 | -1> } = {},
): AsyncGenerator<RawDocument> {
  const sort: Sort = order
  for await (const raw of db.collection(collection).find<Uint8Array>(filter, { sort, hint: order, raw: true })) {
    yield { raw, document: BSON.deserialize(raw) }
  }
}
