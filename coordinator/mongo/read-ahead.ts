import type { FindCursor } from 'mongodb'

/**
 * Streams the documents of a cursor, and asks for the next batch while the last one is worked on: the database and this
 * process work at the same time. It holds two batches at most. Ending the iteration early closes the cursor.
 */
export async function* readAhead<Doc>(cursor: FindCursor<Doc>): AsyncGenerator<Doc> {
  const next = async (): Promise<Doc[]> => ((await cursor.hasNext()) ? cursor.readBufferedDocuments() : [])
  let coming = next()
  try {
    for (let batch = await coming; batch.length > 0; batch = await coming) {
      coming = next()
      coming.catch(() => undefined) // awaited below, unless the reader leaves before
      yield* batch
    }
  } finally {
    await cursor.close()
  }
}
