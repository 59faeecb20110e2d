import { randomBytes } from 'node:crypto'
import { readAgentConfig } from '@placefleet/agent/config'
import { coordinatorCredentials } from '@placefleet/agent/fleet/credentials'
import { type Config, readConfig } from '@placefleet/coordinator/config'
import { checkSettings, natsUrlSetting, readEnv } from '@placefleet/shared/config'

/** Settings of a coordinator that everybody leaves open on one machine, and their values there. */
const defaults = () => ({
  AGENT_TOKEN: randomBytes(32).toString('base64url'),
  BOOTSTRAP_EMAIL: 'owner@localhost.localdomain',
  BOOTSTRAP_CREDITS: '1000', // whoever runs it at home sells to nobody
  DRAIN_SECONDS: '0', // no balancer has to notice
})

/** The environment of a process. */
type Environment = Record<string, string | undefined>

/** The settings of all that `npm start` runs, checked: `config` as a coordinator reads them, without its servers. */
export type StandaloneSettings = { env: Environment; config: Omit<Config, 'MONGODB_URL' | 'NATS_URL'> }

/**
 * The settings of `npm start`, those of its agent too: it could only end again and again over a wrong one.
 * @throws ConfigError that names everything that is wrong in one go.
 */
export function readStandaloneSettings(given: Environment): StandaloneSettings {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const env: Environment = { ...defaults(), ...set }
  const readCoordinator = () =>
    readConfig({ MONGODB_URL: 'mongodb://started-later', NATS_URL: 'nats://started-later', ...env })
  checkSettings(
    readCoordinator,
    () => readEnv({ NATS_AGENT_URL: natsUrlSetting().optional() }, env),
    () => readAgentConfig(agentEnvironment(env, { NATS_URL: undefined, COORDINATOR_GRPC: undefined })),
    () => coordinatorCredentials({ ca: env.COORDINATOR_TLS_CA, cert: env.AGENT_TLS_CERT, key: env.AGENT_TLS_KEY }),
  )
  return { env, config: readCoordinator() }
}

/** What is the coordinator's alone: its secrets, since an agent meets the pages of strangers, and its metrics port. */
const NOT_FOR_AGENTS = /^(MONGODB_|BOOTSTRAP_|STRIPE_|OIDC_|SECRETS_KEY$|NATS_AGENT_URL$|GRPC_TLS_|METRICS_PORT$)/

/** The environment of the agent, which is told here how it reaches the others. */
export function agentEnvironment(
  env: Environment,
  reaching: { NATS_URL: string | undefined; COORDINATOR_GRPC: string | undefined },
): Environment {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_AGENTS.test(name))), ...reaching }
}
