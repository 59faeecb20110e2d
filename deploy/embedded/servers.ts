import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@placefleet/shared/log'
import { logLevelSetting, mongoUrlSetting, natsUrlSetting, secret } from '@placefleet/shared/setting-types'
import { z } from 'zod'
import { startMongo } from './mongo.ts'
import { startNats } from './nats.ts'

/** The settings of the embedded servers. `coordinator/guides/settings.md` is generated from these descriptions. */
export const SERVER_SETTINGS = {
  DATA_DIR: z.string().default('./data').describe('the directory of the databases, the queue and the first API key'),
  MONGODB_URL: mongoUrlSetting().optional().meta(secret('a MongoDB to use instead of starting one')),
  NATS_URL: natsUrlSetting().optional().meta(secret('a NATS to use instead of starting one')),
  NATS_AGENT_URL: natsUrlSetting()
    .optional()
    .meta(secret('with `NATS_URL`: the same NATS with the user for agents; unset: agents use `NATS_URL`')),
  LOG_LEVEL: logLevelSetting(),
}

type ServersOptions = {
  /** A directory that the caller has locked, see `lockDataDir`. */
  dataDir: string
  env: NodeJS.ProcessEnv
  /** Logs the restarts of a server. */
  log: Logger
}

/**
 * Both servers. `natsUrl` is for coordinators, `natsAgentUrl` for agents. `stop` ends the servers that we started,
 * newest first, and may be called twice.
 */
type Servers = { mongoUrl: string; natsUrl: string; natsAgentUrl: string; stop(): Promise<void> }

/**
 * Starts MongoDB and NATS on one data directory, unless MONGODB_URL and NATS_URL name existing ones, and resolves when
 * both answer. They always end with this process.
 * @throws Error with a sentence for the operator; then no server is left running.
 */
export async function startServers({ dataDir, env, log }: ServersOptions): Promise<Servers> {
  const mongo = await startMongo({ dataDir, cacheDir: join(dataDir, 'cache'), env, log })
  try {
    const nats = await startNats({ dataDir, env, log })
    // `npm run ops` reads these files, and so does an operator who starts an agent by hand.
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
