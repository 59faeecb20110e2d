import { createHash } from 'node:crypto'
import { lstatSync, type Stats } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { reasonOf } from '@placefleet/shared/command-line'
import { makeDir } from '@placefleet/shared/make-dir'

/** A unix socket's path has at most 103 bytes on macOS (107 on Linux), and the engine adds 37 of its own to the directory. */
const LONGEST_SOCKET_DIR = 60

/**
 * Creates `path` (its parents too) for this user alone, mode 0700, and returns it. One that exists is taken only
 * when it is a real directory of this user that nobody else can enter: in a shared temporary directory anybody may
 * have made it first. Throws an error naming the directory otherwise.
 */
export function privateDir(path: string): string {
  try {
    makeDir(path)
  } catch (cause) {
    throw new Error(`${path} cannot be made: ${reasonOf(cause)}. Set TMPDIR to a directory of your own.`, { cause })
  }
  const fault = whyNotPrivate(lstatSync(path))
  if (fault) throw new Error(`${path} ${fault}. Remove it, or set TMPDIR to a directory of your own.`)
  return path
}

/**
 * The directory for the sockets of one server: short, private, and always the same for one `serverDir`, so that an
 * address given to a client stays right over restarts. Throws as `privateDir` does.
 */
export function socketDir(serverDir: string): string {
  const key = createHash('sha256')
    .update(`${process.getuid?.()}:${resolve(serverDir)}`)
    .digest('hex')
    .slice(0, 12)
  const preferred = join(tmpdir(), `placefleet-${key}`)
  return privateDir(Buffer.byteLength(preferred) <= LONGEST_SOCKET_DIR ? preferred : `/tmp/placefleet-${key}`)
}

function whyNotPrivate(found: Stats): string | undefined {
  if (!found.isDirectory()) return 'is not a directory'
  if (process.getuid && found.uid !== process.getuid()) return 'belongs to another user'
  if ((found.mode & 0o077) !== 0) return 'is open to other users'
  return undefined
}
