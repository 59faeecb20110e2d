import { randomBytes } from 'node:crypto'
import { startCoordinator } from '@placefleet/coordinator/app'
import { readConfig } from '@placefleet/coordinator/config'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import { lockDataDir } from '../embedded/data-dir.ts'
import { startServers } from '../embedded/servers.ts'
import { startAgentProcess } from './agent-process.ts'
import { type FirstKey, firstKey } from './first-key.ts'

/** Settings of a coordinator that everybody leaves open on one machine, and their values there. */
const defaults = () => ({
  AGENT_TOKEN: randomBytes(32).toString('base64url'),
  BOOTSTRAP_EMAIL: 'owner@localhost.localdomain',
  BOOTSTRAP_CREDITS: '1000', // whoever runs it at home sells to nobody
  DRAIN_SECONDS: '0', // no balancer has to notice
})

export type Standalone = { url: string; grpcPort: number; dataDir: string; firstKey: FirstKey }

/**
 * Starts everything on this machine: MongoDB and NATS unless MONGODB_URL and NATS_URL name some, a coordinator, one
 * agent. What it opens is owned by the lifecycle.
 * @throws Error for the operator when a setting is wrong, the data directory is in use or a server does not start.
 */
export async function startStandalone(env: NodeJS.ProcessEnv, log: Logger, life: Lifecycle): Promise<Standalone> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const given = { ...defaults(), ...set }
  readConfig({ MONGODB_URL: 'mongodb://checked-later', NATS_URL: 'nats://checked-later', ...given })
  const lock = life.own('data directory', lockDataDir(env.DATA_DIR || './data'), (held) => held.release())
  const servers = await startServers({ dataDir: lock.path, env, log })
  life.own('servers', servers, (running) => running.stop())
  const key = firstKey(lock.path, env.BOOTSTRAP_API_KEY || undefined)
  const settings = {
    ...given,
    DATA_DIR: lock.path,
    MONGODB_URL: servers.mongoUrl,
    NATS_URL: servers.natsUrl,
    BOOTSTRAP_API_KEY: key.key,
  }
  const { url, grpcPort } = await startCoordinator(readConfig(settings), log, life)
  const COORDINATOR_GRPC = `${reachable(env.HOST)}:${grpcPort}`
  const agentEnv = { ...agentEnvironment(settings), NATS_URL: servers.natsAgentUrl, COORDINATOR_GRPC }
  life.own('agent', startAgentProcess(agentEnv, log), (agent) => agent.stop())
  return { url, grpcPort, dataDir: lock.path, firstKey: key }
}

/** The host by which this machine reaches itself where a server listens on `host`. */
function reachable(host = ''): string {
  if (['', '0.0.0.0', '::'].includes(host)) return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** What is the coordinator's alone: its secrets, since an agent meets the pages of strangers, and its metrics port. */
const NOT_FOR_AGENTS = /^(MONGODB_|BOOTSTRAP_|STRIPE_|OIDC_|SECRETS_KEY$|NATS_AGENT_URL$|GRPC_TLS_|METRICS_PORT$)/

const agentEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_AGENTS.test(name)))
