import { randomBytes } from 'node:crypto'
import { startCoordinator } from '@placefleet/coordinator/app'
import { readConfig } from '@placefleet/coordinator/config'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import { lockDataDir } from '../embedded/data-dir.ts'
import { startServers } from '../embedded/servers.ts'
import { startAgentProcess } from './agent-process.ts'
import { type FirstKey, firstKey } from './first-key.ts'

/** Credits of the first user unless BOOTSTRAP_CREDITS says otherwise: whoever runs it at home sells to nobody. */
const FIRST_CREDITS = '1000'

export type Standalone = { url: string; grpcPort: number; dataDir: string; firstKey: FirstKey }

/**
 * Starts everything on this machine: MongoDB and NATS unless MONGODB_URL and NATS_URL name some, a coordinator, one
 * agent. What it opens is owned by the lifecycle.
 * @throws Error for the operator when a setting is wrong, the data directory is in use or a server does not start.
 */
export async function startStandalone(env: NodeJS.ProcessEnv, log: Logger, life: Lifecycle): Promise<Standalone> {
  const given = {
    AGENT_TOKEN: randomBytes(32).toString('base64url'),
    BOOTSTRAP_EMAIL: 'owner@localhost.localdomain',
    ...env,
  }
  readConfig({ MONGODB_URL: 'mongodb://checked-later', NATS_URL: 'nats://checked-later', ...given })
  const lock = life.own('data directory', lockDataDir(env.DATA_DIR || './data'), (held) => held.release())
  const servers = await startServers({ dataDir: lock.path, env, log })
  life.own('servers', servers, (running) => running.stop())
  const key = firstKey(lock.path, env.BOOTSTRAP_API_KEY || undefined)
  const settings = {
    BOOTSTRAP_CREDITS: FIRST_CREDITS,
    ...given,
    DATA_DIR: lock.path,
    MONGODB_URL: servers.mongoUrl,
    NATS_URL: servers.natsUrl,
    BOOTSTRAP_API_KEY: key.key,
  }
  const { url, grpcPort } = await startCoordinator(readConfig(settings), log, life)
  const host = env.HOST && env.HOST !== '0.0.0.0' && env.HOST !== '::' ? env.HOST : '127.0.0.1'
  const agentEnv = { ...settings, COORDINATOR_GRPC: `${host.includes(':') ? `[${host}]` : host}:${grpcPort}` }
  life.own('agent', startAgentProcess(agentEnv, log), (agent) => agent.stop())
  return { url, grpcPort, dataDir: lock.path, firstKey: key }
}
