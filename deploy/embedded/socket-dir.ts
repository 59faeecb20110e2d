import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { privateDir } from '@placefleet/shared/private-dir'

/** A unix socket's path has at most 103 bytes on macOS (107 on Linux), and the engine appends 37 to the directory. */
const LONGEST_SOCKET_DIR = 60

/**
 * The directory for the sockets of one server: short, private, and always the same for one `serverDir`, so that an
 * address stays valid over restarts.
 * @throws Error that names the directory when it cannot be created or others can enter it.
 */
export function socketDir(serverDir: string): string {
  const key = createHash('sha256')
    .update(`${process.getuid?.()}:${resolve(serverDir)}`)
    .digest('hex')
    .slice(0, 12)
  const preferred = join(tmpdir(), `placefleet-${key}`)
  return privateDir(Buffer.byteLength(preferred) <= LONGEST_SOCKET_DIR ? preferred : `/tmp/placefleet-${key}`)
}
