import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { reasonOf } from '@placefleet/shared/command-line'
import { makeDir, privateDir } from '@placefleet/shared/private-dir'

/** The exclusive right to use a data directory; `release` may be called twice. */
type DataDirLock = { path: string; release(): void }

/** SQLITE_BUSY, https://www.sqlite.org/rescode.html#busy */
const BUSY = 5

/**
 * Creates `dir` (mode 0700) and locks it for this process until `release` or the end of the process. `path` is its
 * absolute path.
 *
 * The lock is SQLite's lock on a file. The kernel releases it when the process ends. So kill -9 or a reused process id
 * leaves no stale lock, and it works between containers that share the directory. The process id beside it is only for
 * the message.
 * @throws Error that names the directory and, when another instance uses it, that process.
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
  // The listener also references the lock: without a reference, garbage collection would release it.
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
    closeSync(openSync(lockFile, 'a', 0o600)) // SQLite would create it readable for others, who could then lock it
    lock = new DatabaseSync(lockFile)
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock?.close()
    if (!isBusy(cause)) {
      const fix = 'Make it writable for this user, or set DATA_DIR to a directory that is.'
      throw new Error(`The data directory ${path} cannot be written: ${reasonOf(cause)}. ${fix}`, { cause })
    }
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
    return '' // the other process has not written its id yet
  }
}

/** A unix socket's path has at most 103 bytes on macOS (107 on Linux), and the engine appends 37 to the directory. */
const LONGEST_SOCKET_DIR = 60

/**
 * Returns the directory for the sockets of one server: short, private, and always the same for one data directory, so
 * that an address stays valid over restarts. It is in the data directory, where processes with another temporary
 * directory (a service with PrivateTmp, a shell of its administrator) find it, too. If that path is too long, it is in
 * the temporary directory.
 * @throws Error that names the directory when it cannot be created or others can enter it.
 */
export function socketDir(dataDir: string, server: 'mongo' | 'nats'): string {
  const dir = join(resolve(dataDir), 'run', server)
  if (isShort(dir)) return privateDir(dir, 'DATA_DIR')
  const name = `placefleet-${createHash('sha256').update(`${process.getuid?.()}:${dir}`).digest('hex').slice(0, 12)}`
  const temporary = join(tmpdir(), name)
  return privateDir(isShort(temporary) ? temporary : join('/tmp', name))
}

const isShort = (dir: string): boolean => Buffer.byteLength(dir) <= LONGEST_SOCKET_DIR
