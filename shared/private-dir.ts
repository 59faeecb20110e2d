import { lstatSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { reasonOf } from './command-line.ts'

/**
 * Creates a directory and its missing parents for this user alone (mode 0700). An existing directory stays unchanged.
 * Creates one level at a time: Node's recursive mkdir never returns where the system reports an existing parent as
 * missing, as in /proc.
 * @throws the system's error when a directory cannot be created.
 */
export function makeDir(path: string): void {
  if (isDirectory(path)) return
  const parent = dirname(path)
  if (parent !== path) makeDir(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isDirectory(path)) throw error // otherwise another process has just created it
  }
}

/**
 * Creates `path` and its parents for this user alone (mode 0700) and returns it. Accepts an existing one only if it is
 * a real directory of this user that other users cannot enter: in a shared temporary directory another user may have
 * created it first.
 * @param setting the setting that moves the directory.
 * @throws Error that names the directory and the setting.
 */
export function privateDir(path: string, setting: 'TMPDIR' | 'DATA_DIR' = 'TMPDIR'): string {
  try {
    makeDir(path)
  } catch (cause) {
    throw new Error(`${path} cannot be created: ${reasonOf(cause)}. Set ${setting} to a directory of your own.`, {
      cause,
    })
  }
  const fault = notPrivate(lstatSync(path))
  if (fault) throw new Error(`${path} ${fault}. Remove it, or set ${setting} to a directory of your own.`)
  return path
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function notPrivate(found: Stats): string | undefined {
  if (!found.isDirectory()) return 'is not a directory'
  if (process.getuid && found.uid !== process.getuid()) return 'belongs to another user'
  if ((found.mode & 0o077) !== 0) return 'is open to other users'
  return undefined
}
