import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory and those above it that are missing, for this user alone (mode 0700); one that is there stays as it
 * is. One after the other, since Node's recursive way never returns where the system says that a parent is missing
 * which is there, as in /proc.
 * @throws the system's error when one cannot be made.
 */
export function makeDir(path: string): void {
  const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  if (isThere) return
  const parent = dirname(path)
  if (parent !== path) makeDir(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
