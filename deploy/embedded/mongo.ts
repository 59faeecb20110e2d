import { existsSync, mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Logger } from '@placefleet/shared/log'
import { socketDir } from './data-dir.ts'
import { engineLibrary } from './engine-library.ts'
import { type EmbeddedServer, supervise } from './supervise.ts'
import { findOnPath, type ServerSpec } from './tied-process.ts'

/**
 * The write concern of a single server, as part of its address. With `w=majority`, with or without `j`, the engine
 * acknowledges before it writes the journal: on a busy disk kill -9 lost acknowledged writes in 41 of 130 runs, and in
 * none of 130 with this write concern.
 */
const DURABLE = 'w=1&journal=true'

/** Node only hands messages to the engine. A small heap and two malloc arenas save 12 MB at no cost. */
const SMALL_HEAP = ['--max-semi-space-size=1']
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' }

type MongoOptions = {
  /** The data directory of the instance, locked by the caller. The database gets its own folder in it. */
  dataDir: string
  /** The directory for the engine's library that works with an older C library. */
  cacheDir: string
  env: NodeJS.ProcessEnv
  log: Logger
}

/**
 * Starts a MongoDB for this data directory: `mongod` from the PATH, else the embedded engine. MONGODB_URL replaces it
 * by another server. It listens on a unix socket that only this user can reach, always ends with this process, and is
 * restarted at the same address when it crashes. A data directory stays with the kind of server that created it,
 * because the file formats differ.
 * @throws Error with a sentence for the operator when no server can run here.
 */
export async function startMongo(options: MongoOptions): Promise<EmbeddedServer> {
  if (options.env.MONGODB_URL) return { url: options.env.MONGODB_URL, pid: undefined, stop: async () => undefined }
  const spec = chooseServer(options)
  const server = await supervise(spec, options.log)
  return {
    url: `mongodb://${encodeURIComponent(socketOf(spec.runDir))}/?directConnection=true&${DURABLE}`,
    get pid() {
      return server.pid
    },
    stop: server.stop,
  }
}

function chooseServer(options: MongoOptions): ServerSpec {
  const madeByEngine = existsSync(join(options.dataDir, 'mongo-engine'))
  const madeByMongod = existsSync(join(options.dataDir, 'mongod'))
  const mongod = findOnPath('mongod', options.env)
  if (madeByMongod && !mongod) {
    throw new Error(
      `The database in ${options.dataDir} was created by mongod, but there is no mongod on the PATH. Install it, or set DATA_DIR to another directory.`,
    )
  }
  return mongod && !madeByEngine ? mongodSpec(mongod, options) : engineSpec(options)
}

function mongodSpec(command: string, { dataDir, env }: MongoOptions): ServerSpec {
  const database = databaseDir(dataDir, 'mongod')
  const runDir = socketDir(dataDir, 'mongo')
  // With a socket as its only address, mongod opens no port. The prefix keeps its second, default socket private.
  const listen = ['--bind_ip', socketOf(runDir), '--unixSocketPrefix', runDir]
  return {
    name: 'mongod',
    command,
    args: ['--dbpath', database, '--quiet', ...listen],
    env,
    dataDir,
    runDir,
    logFile: join(dataDir, 'mongod.log'),
    isReady: () => accepts(socketOf(runDir)),
  }
}

function engineSpec({ dataDir, cacheDir, env }: MongoOptions): ServerSpec {
  const library = engineLibrary(cacheDir)
  const database = databaseDir(dataDir, 'mongo-engine')
  const runDir = socketDir(dataDir, 'mongo')
  return {
    name: 'The embedded MongoDB engine',
    command: process.execPath,
    args: [...SMALL_HEAP, join(import.meta.dirname, 'mongo-engine.ts'), database, runDir],
    env: { ...FEW_ARENAS, ...env, TMPDIR: runDir, NAPI_RS_NATIVE_LIBRARY_PATH: library },
    dataDir,
    runDir,
    logFile: join(dataDir, 'mongo-engine.log'),
    isReady: () => accepts(socketOf(runDir)),
  }
}

function databaseDir(dataDir: string, name: string): string {
  const path = join(dataDir, name)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return path
}

function socketOf(runDir: string): string {
  return join(runDir, 'mongo.sock')
}

function accepts(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
