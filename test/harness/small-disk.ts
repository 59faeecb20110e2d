import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A disk of a few megabytes that one process alone sees, in a mount namespace of its own. */
export type SmallDisk = {
  /** The command that mounts it, then becomes the given one. Its stderr goes to a file on the disk. */
  wrap(command: string, args: readonly string[]): { command: string; args: string[] }
  /** Fills the disk of a running process to the last byte. */
  fill(pid: number): void
  /** Makes room again. */
  free(pid: number): void
  /** Whether a process has mounted it already. */
  isMounted(pid: number): boolean
}

const SIZE = '8m'
const MOUNT_AND_BECOME = `
mount -t tmpfs -o size=${SIZE},mode=700 tmpfs "$1" || exit 97
dir=$1
shift
exec "$@" 2>>"$dir/process.log"`

/** What `canHaveSmallDisk` checks, as a need of tests. */
export const MOUNTS = 'mounts in a namespace of its own'

/** Returns whether this machine lets a process have a mount of its own without being root outside. */
export function canHaveSmallDisk(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /tmp'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Creates a small disk at a directory. Each process started by its command has a fresh one. */
export function createSmallDisk(dir: string): SmallDisk {
  const seenBy = (pid: number) => `/proc/${pid}/root${dir}`
  return {
    wrap: (command, args) => ({
      command: 'unshare',
      args: ['-rm', 'sh', '-c', MOUNT_AND_BECOME, 'sh', dir, command, ...args],
    }),
    fill(pid) {
      const file = openSync(join(seenBy(pid), 'ballast'), 'w')
      try {
        for (let size = 65_536; size >= 1; ) {
          try {
            if (writeSync(file, Buffer.alloc(size)) < size) size = Math.floor(size / 2)
          } catch (error) {
            if (!isFull(error)) throw error
            size = Math.floor(size / 2)
          }
        }
      } finally {
        closeSync(file)
      }
    },
    free: (pid) => rmSync(join(seenBy(pid), 'ballast'), { force: true }),
    isMounted: (pid) => existsSync(join(seenBy(pid), 'process.log')),
  }
}

const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOSPC'
