import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { BSON, type Db, type Document, type Sort } from 'mongodb'
import { z } from 'zod'
import { AppError } from '../http/errors.ts'

/** The file of a collection in a backup: gzip over concatenated BSON documents, as mongodump writes it. */
export const ArchiveFile = z.object({
  collection: z.string().regex(/^[a-z_]+$/),
  documents: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** The SHA-256 of the compressed file, in hex. */
  sha256: z.string(),
})
export type ArchiveFile = z.infer<typeof ArchiveFile>

export const fileNameOf = (collection: string): string => `${collection}.bson.gz`

/** A file that is being written. `close` makes it durable. */
type ArchiveWriter = {
  write(document: Uint8Array): Promise<void>
  close(): Promise<ArchiveFile>
}

/**
 * Creates the file of a collection. Only its owner may read it.
 * @throws Error when the file exists or cannot be written.
 */
export function createArchiveFile(dir: string, collection: string): ArchiveWriter {
  const hash = createHash('sha256')
  let [documents, bytes] = [0, 0]
  const input = new PassThrough()
  const writing = pipeline(
    input,
    createGzip(),
    async function* measured(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    },
    createWriteStream(join(dir, fileNameOf(collection)), { flags: 'wx', mode: 0o600, flush: true }),
  )
  writing.catch((error) => input.destroy(error)) // rejects a writer that waits for `drain`
  return {
    async write(document) {
      documents++
      if (!input.write(document)) await Promise.race([once(input, 'drain'), writing])
    },
    async close() {
      input.end()
      await writing
      return { collection, documents, bytes, sha256: hash.digest('hex') }
    },
  }
}

/**
 * Checks that the file of a collection is complete and unchanged.
 * @throws AppError `conflict` that names the file when it is not.
 */
export async function checkArchiveFile(dir: string, { collection, sha256 }: ArchiveFile): Promise<void> {
  const path = join(dir, fileNameOf(collection))
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
  } catch (cause) {
    throw new AppError('conflict', `${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
  if (hash.digest('hex') === sha256) return
  throw new AppError('conflict', `${path} is damaged: its SHA-256 differs from the manifest. Use another backup.`)
}

const LENGTH_BYTES = 4

/** Reads the BSON documents of a collection's file one by one. */
export async function* readArchiveFile(dir: string, { collection }: ArchiveFile): AsyncGenerator<Buffer> {
  const unpacked = createReadStream(join(dir, fileNameOf(collection))).pipe(createGunzip())
  let rest = Buffer.alloc(0)
  for await (const chunk of unpacked) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= LENGTH_BYTES && rest.length >= rest.readInt32LE()) {
      const length = rest.readInt32LE()
      yield rest.subarray(0, length)
      rest = rest.subarray(length)
    }
  }
}

/** A document: the exact bytes from the server, and the decoded form. */
export type RawDocument = { raw: Uint8Array; document: Document }

/** Decodes a document without a loss. With promotion, a 64-bit integer would be stored as a double. */
export const exact = (raw: Uint8Array): Document =>
  BSON.deserialize(raw, { promoteValues: false, promoteLongs: false, bsonRegExp: true })

/** Reads documents in the order of an index. */
export async function* readRaw(db: Db, collection: string, order: Record<string, 1 | -1>): AsyncGenerator<RawDocument> {
  const sort: Sort = order
  for await (const raw of db.collection(collection).find<Uint8Array>({}, { sort, hint: order, raw: true })) {
    yield { raw, document: BSON.deserialize(raw) }
  }
}
