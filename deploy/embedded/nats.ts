import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type { Logger } from '@placefleet/shared/log'
import { AGENT_PERMISSIONS } from '@placefleet/shared/nats'
import { socketDir } from './data-dir.ts'
import { AGENT_USER, freePort, isTaken, type NatsAccess, readAccess, USER, writeAccess } from './nats-access.ts'
import { type EmbeddedServer, supervise } from './supervise.ts'
import { findOnPath } from './tied-process.ts'

type NatsOptions = {
  /** The data directory of the instance, locked by the caller. The server gets its own folder in it. */
  dataDir: string
  env: NodeJS.ProcessEnv
  log: Logger
}

/** A NATS server. `url` is for coordinators; `agentUrl` is for agents, which may only take tasks. */
type EmbeddedNats = EmbeddedServer & { agentUrl: string }

/**
 * Starts a NATS server with JetStream for this data directory: `nats-server` from the PATH, else the one of the npm
 * package. NATS_URL (for agents NATS_AGENT_URL) replaces it by another server. The server listens on 127.0.0.1 with
 * passwords generated for this directory, and ends with this process in any case. Its URLs
 * (`nats://user:password@127.0.0.1:port`) stay the same over restarts, so that clients reconnect; only a port that
 * another program uses by now is replaced by a free one.
 * @throws Error with a sentence for the operator when no server can run here.
 */
export async function startNats({ dataDir, env, log }: NatsOptions): Promise<EmbeddedNats> {
  const { NATS_URL: url, NATS_AGENT_URL: agentUrl } = env
  if (url) return { url, agentUrl: agentUrl || url, pid: undefined, stop: async () => undefined }
  const command = natsServerProgram(env)
  const dir = join(dataDir, 'nats')
  const configFile = join(dir, 'server.conf')
  const portsDir = join(dir, 'ports')
  rmSync(portsDir, { recursive: true, force: true })
  mkdirSync(portsDir, { recursive: true, mode: 0o700 })
  const { passwords, port: lastPort } = await readAccess(dir)
  const spec = {
    name: 'The NATS server',
    command,
    args: ['-c', configFile],
    env,
    dataDir,
    runDir: socketDir(dataDir, 'nats'),
    logFile: join(dataDir, 'nats.log'),
    // The server writes this file once it listens.
    isReady: async (pid: number) => existsSync(join(portsDir, `${basename(command)}_${pid}.ports`)),
  }
  const startOn = async (port: number) => {
    writeFileSync(configFile, configuration({ dir, portsDir }, { passwords, port }), { mode: 0o600 })
    return { port, server: await supervise(spec, log) }
  }
  const { port, server } = await startOn(lastPort).catch(async (error: unknown) => {
    if (!(await isTaken(lastPort))) throw error
    log.warn(
      `port ${lastPort} of NATS is in use by another program; NATS moves to a free port: clients need its new URL`,
    )
    return startOn(await freePort())
  })
  writeAccess(dir, { port, passwords })
  const urlOf = (user: keyof typeof passwords) => `nats://${user}:${passwords[user]}@127.0.0.1:${port}`
  return {
    url: urlOf(USER),
    agentUrl: urlOf(AGENT_USER),
    get pid() {
      return server.pid
    },
    stop: server.stop,
  }
}

function configuration(dirs: { dir: string; portsDir: string }, { port, passwords }: NatsAccess): string {
  return `host: "127.0.0.1"
port: ${port}
ports_file_dir: ${JSON.stringify(dirs.portsDir)}
jetstream { store_dir: ${JSON.stringify(join(dirs.dir, 'store'))} }
authorization {
  users: [
    { user: ${USER}, password: "${passwords[USER]}" }
    { user: ${AGENT_USER}, password: "${passwords[AGENT_USER]}", permissions: ${JSON.stringify(AGENT_PERMISSIONS)} }
  ]
}
`
}

/**
 * Returns the program of the server: `nats-server` from the PATH, else the one of the npm package. Throws when there is
 * none.
 */
export const natsServerProgram = (env: NodeJS.ProcessEnv): string => findOnPath('nats-server', env) ?? packagedServer()

function packagedServer(): string {
  const name = `@lagz0ne/nats-embedded-${process.platform}-${process.arch}/nats-server`
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    throw new Error(
      `There is no NATS server for ${process.platform} ${process.arch} here. ` +
        'Put nats-server on the PATH, or set NATS_URL to the address of one with JetStream.',
      { cause },
    )
  }
}
