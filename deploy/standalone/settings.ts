import { randomBytes } from 'node:crypto'
import { AGENT_SETTINGS, readAgentConfig } from '@placefleet/agent/config'
import { coordinatorCredentials } from '@placefleet/agent/fleet/coordinator'
import { COORDINATOR_SETTINGS, type Config, readConfig } from '@placefleet/coordinator/config'
import { checkSettings, type Environment, readEnv, readSecretFiles } from '@placefleet/shared/config'
import { SERVER_SETTINGS } from '../embedded/servers.ts'

/** Defaults of `npm start` for settings that a coordinator on its own leaves unset. */
const defaults = () => ({
  AGENT_TOKEN: randomBytes(32).toString('base64url'),
  BOOTSTRAP_EMAIL: 'owner@localhost.localdomain',
  BOOTSTRAP_CREDITS: '1000', // a home installation sells no credits
  DRAIN_SECONDS: '0', // no load balancer has to notice
  // Its user is the owner of the machine and no stranger.
  RATE_FREE: '50:100',
  RATE_SESSION: '50:100',
  RATE_JOB_CREATE: '10:20',
  MAX_CONCURRENT_JOBS_FREE: '20',
})

/** The checked settings of `npm start`: `config` is the coordinator's, without the addresses of the servers. */
export type StandaloneSettings = { env: Environment; config: Omit<Config, 'MONGODB_URL' | 'NATS_URL'> }

/**
 * Reads the settings of `npm start`, and checks those of its agent: with a wrong one the agent would restart again and
 * again. The secrets in `env` are read from their files.
 * @throws ConfigError that names every wrong setting at once; unreadable secret files come first.
 */
export function readStandaloneSettings(given: Environment): StandaloneSettings {
  const secrets = { ...AGENT_SETTINGS, ...COORDINATOR_SETTINGS, ...SERVER_SETTINGS }
  const env: Environment = { ...defaults(), ...readSecretFiles(secrets, given) }
  const readCoordinator = () =>
    readConfig({ MONGODB_URL: 'mongodb://started-later', NATS_URL: 'nats://started-later', ...env })
  checkSettings(
    readCoordinator,
    () => readEnv(SERVER_SETTINGS, env),
    () => readAgentConfig(agentEnvironment(env, { NATS_URL: undefined, COORDINATOR_GRPC: undefined })),
    () => coordinatorCredentials({ ca: env.COORDINATOR_TLS_CA, cert: env.AGENT_TLS_CERT, key: env.AGENT_TLS_KEY }),
  )
  return { env, config: readCoordinator() }
}

/**
 * Settings that an agent must not inherit: the coordinator's secrets, since an agent opens untrusted pages, and its
 * ports.
 */
const NOT_FOR_AGENTS =
  /^(MONGODB_|BOOTSTRAP_|ADMIN_|STRIPE_|OIDC_|SECRETS_KEY$|NATS_AGENT_URL$|GRPC_TLS_|METRICS_PORT$)/

/**
 * Returns the environment of the agent: that of the coordinator without its secrets, with the addresses to connect to.
 */
export function agentEnvironment(
  env: Environment,
  addresses: { NATS_URL: string | undefined; COORDINATOR_GRPC: string | undefined },
): Environment {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_AGENTS.test(name))), ...addresses }
}
