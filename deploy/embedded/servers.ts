import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@placefleet/shared/log'
import { startMongo } from './mongo.ts'
import { startNats } from './nats.ts'

export type ServersOptions = {
  /** A directory the caller has locked, see `lockDataDir`. */
  dataDir: string
  env: NodeJS.ProcessEnv
  /** Told when a server died and is started again. */
  log: Logger
}

/** Both servers; NATS by what coordinators and by what agents connect to. `stop` ends those that are ours, newest first, and may be called twice. */
export type Servers = { mongoUrl: string; natsUrl: string; natsAgentUrl: string; stop(): Promise<void> }

/**
 * Starts MongoDB and NATS on one data directory (or takes those that MONGODB_URL and NATS_URL name) and resolves when
 * both answer. They end with this process however it ends. Throws a sentence for the operator; nothing is left running then.
 */
export async function startServers({ dataDir, env, log }: ServersOptions): Promise<Servers> {
  const mongo = await startMongo({ dataDir, cacheDir: join(dataDir, 'cache'), env, log })
  try {
    const nats = await startNats({ dataDir, env, log })
    // The operator's command line finds the servers by these, and whoever starts an agent by hand.
    writeFileSync(join(dataDir, 'mongodb-url'), `${mongo.url}\n`, { mode: 0o600 })
    writeFileSync(join(dataDir, 'nats-url'), `${nats.url}\n`, { mode: 0o600 })
    writeFileSync(join(dataDir, 'nats-agent-url'), `${nats.agentUrl}\n`, { mode: 0o600 })
    const stop = async () => {
      await nats.stop()
      await mongo.stop()
    }
    return { mongoUrl: mongo.url, natsUrl: nats.url, natsAgentUrl: nats.agentUrl, stop }
  } catch (error) {
    await mongo.stop()
    throw error
  }
}
