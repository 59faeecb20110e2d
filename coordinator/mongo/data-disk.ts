import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fullDisk } from '@placefleet/shared/full-disk'

/** The address of the database that is in use, and the data directory that may hold it. */
type DatabasePlace = { MONGODB_URL: string; DATA_DIR: string }

/**
 * Says that the disk of the database is full, and what to do. Undefined when it has room. Undefined too when the
 * database is not the one that `npm start` or `npm run services` keeps in DATA_DIR: its disk may be on another host.
 */
export async function fullDatabaseDisk({ MONGODB_URL, DATA_DIR }: DatabasePlace): Promise<string | undefined> {
  const url = await readFile(join(DATA_DIR, 'mongodb-url'), 'utf8').catch(() => undefined) // nothing runs on it
  return url?.trim() === MONGODB_URL ? fullDisk(DATA_DIR) : undefined
}
