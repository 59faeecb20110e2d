import { statfs } from 'node:fs/promises'

/**
 * MongoDB ends when it cannot create its next journal file, of 100 MB in `mongod` and of 8 MB in the embedded engine
 * (https://www.mongodb.com/docs/manual/core/journaling/). With more room a server that ended had another reason.
 * Between this and 500 MB MongoDB only refuses to build indexes, and says so (code 14031).
 */
const JOURNAL_FILE_BYTES = 100 * 2 ** 20

/** The room of a file system in blocks of `bsize` bytes. `bavail` are free for users other than root. */
export type Room = { blocks: number; bavail: number; bsize: number }

/** Returns whether the room is too little for a database. Some file systems have no size; they are never full. */
export const isFull = ({ blocks, bavail, bsize }: Room): boolean => blocks > 0 && bavail * bsize < JOURNAL_FILE_BYTES

/**
 * Says that the disk of a data directory is full, and what to do. Undefined when it has room, or when the directory
 * cannot be read.
 */
export async function fullDisk(dataDir: string): Promise<string | undefined> {
  const room = await statfs(dataDir).catch(() => undefined) // whoever uses the directory reports that it cannot be read
  if (!room || !isFull(room)) return undefined
  const megabytes = Math.floor((room.bavail * room.bsize) / 2 ** 20)
  const needed = JOURNAL_FILE_BYTES / 2 ** 20
  return (
    `The disk of the data directory ${dataDir} is full: ${megabytes} MB are free. ` +
    `Free at least ${needed} MB on it. A running service then continues by itself.`
  )
}
