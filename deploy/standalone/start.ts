import { execFile } from 'node:child_process'
import type { NetworkInterfaceInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requireChromium } from '@placefleet/agent/chromium-state'
import { readAgentConfig } from '@placefleet/agent/config'
import type { SignInLink } from '@placefleet/coordinator/auth/links'
import { readConfig } from '@placefleet/coordinator/config'
import { isBuilt } from '@placefleet/coordinator/console/build'
import { reasonOf } from '@placefleet/shared/command-line'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import { lockDataDir } from '../embedded/data-dir.ts'
import { startServers } from '../embedded/servers.ts'
import { startAgentProcess } from './agent-process.ts'
import { createDemoCity } from './demo-city.ts'
import { type FirstKey, firstKey, keptSecretsKey } from './key-files.ts'
import { agentEnvironment, type StandaloneSettings } from './settings.ts'

type Standalone = {
  url: string
  grpcPort: number
  dataDir: string
  firstKey: FirstKey
  /** Creates a link that signs the first user in to the console, once. */
  signInLink: () => Promise<SignInLink>
}

/**
 * Starts everything on this machine: MongoDB and NATS (unless MONGODB_URL and NATS_URL name existing ones), a
 * coordinator and an agent. The lifecycle closes them.
 * @throws Error for the operator when the data directory is in use, a server does not start, or COLLECT_RUNG is `browser`
 * and Chromium does not start.
 */
export async function startStandalone(
  { env, config }: StandaloneSettings,
  log: Logger,
  life: Lifecycle,
): Promise<Standalone> {
  if (env.COLLECT_RUNG === 'browser') await requireChromium(env)
  const lock = life.own('data directory', lockDataDir(config.DATA_DIR), (held) => held.release())
  // Loading the coordinator's code takes as long as the servers take to start, so both happen at once.
  const loading = import('@placefleet/coordinator/app')
  const servers = await startServers({ dataDir: lock.path, env, log })
  life.own('servers', servers, (running) => running.stop())
  const { startCoordinator } = await loading
  await ensureConsole(log)
  const key = firstKey(lock.path, config.BOOTSTRAP_API_KEY)
  const settings = {
    ...env,
    DATA_DIR: lock.path,
    MONGODB_URL: servers.mongoUrl,
    NATS_URL: servers.natsUrl,
    BOOTSTRAP_API_KEY: key.key,
    SECRETS_KEY: env.SECRETS_KEY || keptSecretsKey(lock.path),
  }
  const addresses = { NATS_URL: servers.natsAgentUrl, COORDINATOR_GRPC: '' }
  const demoCity = createDemoCity(() => readAgentConfig(agentEnvironment(settings, addresses)), log)
  const { url, grpcPort, signInLink } = await startCoordinator(readConfig(settings), log, life, { demoCity })
  life.own('demo city', demoCity, (city) => city.close())
  if (!signInLink) throw new Error('the coordinator has no first user')
  addresses.COORDINATOR_GRPC = `${reachable(config.HOST)}:${grpcPort}`
  const agentEnv = agentEnvironment(settings, addresses)
  life.own('agent', startAgentProcess(agentEnv, log), (agent) => agent.stop())
  return { url, grpcPort, dataDir: lock.path, firstKey: key, signInLink }
}

/** The hosts on which a server listens on every address of its machine. */
const EVERY_ADDRESS = ['0.0.0.0', '::']

/** Returns the host by which this machine reaches a server that listens on `host`. */
function reachable(host: string): string {
  if (EVERY_ADDRESS.includes(host)) return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** The URLs by which other machines reach a server that listens on every address. IPv6 needs no second line. */
export function urlsForOthers(host: string, port: string, interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string[] {
  if (!EVERY_ADDRESS.includes(host)) return []
  const addresses = Object.values(interfaces).flatMap((list) => list ?? [])
  const shown = addresses.filter(({ family, internal }) => family === 'IPv4' && !internal)
  return shown.map(({ address }) => `http://${address}:${port}`)
}

const BUILD = join(import.meta.dirname, '..', '..', 'coordinator', 'console', 'build.ts')

/**
 * Builds the console if its sources changed since the last build (about 4 s). Uses a separate process, which frees the
 * memory of the build. A failure is only logged, because everything except the console works.
 */
export async function ensureConsole(log: Logger): Promise<void> {
  if (await isBuilt()) return
  log.info('building the console')
  try {
    await promisify(execFile)(process.execPath, [BUILD])
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'the console could not be built; the API works without it')
  }
}
