import { closeSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { reasonOf } from '@placefleet/shared/command-line'
import { makeDir } from '@placefleet/shared/private-dir'

/** The right to use a data directory; `release` may be called twice. */
export type DataDirLock = { path: string; release(): void }

/** SQLITE_BUSY, https://www.sqlite.org/rescode.html#busy */
const BUSY = 5

/**
 * Creates `dir` (mode 0700) and takes it for this process alone, until `release` or the end of the process. `path` is
 * its absolute path. Throws an error naming the directory, and the process that has it, when another instance uses it.
 *
 * The lock is the one SQLite takes on a file: the kernel drops it however the process ends, so neither kill -9 nor a
 * reused process id can leave a stale one, and it holds between containers that share the directory. The process id
 * is kept beside it for the message only.
 */
export function lockDataDir(dir: string): DataDirLock {
  const path = createDir(dir)
  const pidFile = join(path, 'lock.pid')
  const lock = takeLock(path, pidFile)
  writeFileSync(pidFile, `${process.pid}\n`)
  const release = () => {
    process.off('exit', release)
    if (!lock.isOpen) return
    rmSync(pidFile, { force: true })
    lock.close()
  }
  // The listener also keeps the lock from being collected as garbage, which would drop it, when a caller forgets it.
  process.on('exit', release)
  return { path, release }
}

function createDir(dir: string): string {
  try {
    makeDir(dir)
    return realpathSync(dir)
  } catch (cause) {
    throw new Error(`The data directory ${dir} cannot be created: ${reasonOf(cause)}. Set DATA_DIR to another one.`, {
      cause,
    })
  }
}

function takeLock(path: string, pidFile: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    const lockFile = join(path, 'lock')
    closeSync(openSync(lockFile, 'a', 0o600)) // SQLite would let others read it, and so hold it against us
    lock = new DatabaseSync(lockFile)
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock?.close()
    if (!isBusy(cause)) throw new Error(`The data directory ${path} cannot be locked: ${reasonOf(cause)}.`, { cause })
    throw new Error(
      `The data directory ${path} is in use by another instance${holder(pidFile)}. ` +
        'Stop that one first, or set DATA_DIR to another directory.',
      { cause },
    )
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === BUSY
}

function holder(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8').trim()})`
  } catch {
    return '' // it took the lock this moment and has not written its id yet
  }
}
