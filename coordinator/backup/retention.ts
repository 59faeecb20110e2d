import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const DAY_MS = 24 * 60 * 60 * 1_000
const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/

/** Names the directory of a backup by its time in UTC, e.g. `2026-11-22T02-00-07Z`: file systems may reject colons. */
export const backupName = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** Returns the names that `backupName` gave more than `keepDays` days before `now`. */
export function expiredBackups(names: string[], now: Date, keepDays: number): string[] {
  const oldest = now.getTime() - keepDays * DAY_MS
  return names.filter((name) => timeOf(name) < oldest)
}

/** Returns the time in the name of a backup, or NaN for another name. */
function timeOf(name: string): number {
  const [, day, hour, minute, second] = NAME.exec(name) ?? []
  return day === undefined ? Number.NaN : Date.parse(`${day}T${hour}:${minute}:${second}Z`)
}

/**
 * Removes expired backups from a directory of backups and returns their names. Incomplete backups expire too, so that
 * failed runs cannot fill the disk. A directory with any other name stays.
 */
export async function removeExpiredBackups(parent: string, now: Date, keepDays: number): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true })
  const directories = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const expired = expiredBackups(directories, now, keepDays).toSorted()
  for (const name of expired) await rm(join(parent, name), { recursive: true })
  return expired
}
