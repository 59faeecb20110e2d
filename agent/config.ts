import { accessSync, constants, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { type Environment, readEnv } from '@placefleet/shared/config'
import { ExitName } from '@placefleet/shared/protocol'
import {
  allowHostsSetting,
  integerSetting,
  logLevelSetting,
  natsUrlSetting,
  optionalPortSetting,
  secret,
  urlSetting,
} from '@placefleet/shared/setting-types'
import { z } from 'zod'
import type { AgentExitLimits } from './maps/requests/turns.ts'

/** Checked at the start, because a wrong path fails every task that needs Chromium. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Every setting of an agent. `coordinator/guides/settings.md` is generated from these descriptions. */
export const AGENT_SETTINGS = {
  COORDINATOR_GRPC: z
    .string()
    .regex(
      /^(?:[^\s:/,]+:\d{1,5}|\[[^\]]+\]:\d{1,5})(?:,(?:[^\s:/,]+:\d{1,5}|\[[^\]]+\]:\d{1,5}))*$/,
      'must be host:port, or several of them separated by commas',
    )
    .default('127.0.0.1:50051')
    .describe(
      'host:port of a coordinator or load balancer, or several separated by commas; the agent uses a random one, and the next when it does not answer',
    ),
  NATS_URL: natsUrlSetting()
    .default('nats://127.0.0.1:4222')
    .meta(secret('the address of NATS, with the user for agents')),
  NATS_TLS_CA: z
    .string()
    .optional()
    .describe(
      "PEM file with the authorities that sign the certificate of NATS; requires TLS like `tls://`, which alone uses the system's authorities",
    ),
  COORDINATOR_TLS_CA: z
    .string()
    .optional()
    .describe('PEM file with the authorities that sign the coordinator, or `system`; unset: no encryption'),
  AGENT_TLS_CERT: z.string().optional().describe('PEM file with the certificate of this agent, for mutual TLS'),
  AGENT_TLS_KEY: z.string().optional().describe('PEM file with the key of `AGENT_TLS_CERT`'),
  AGENT_NAME: z
    .string()
    .max(100)
    .default(hostname())
    .meta({ description: 'the name of this agent in logs and `agents list`', shownDefault: 'the host name' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlSetting()
    .optional()
    .describe('an OpenTelemetry collector that gets traces over HTTP, e.g. `http://127.0.0.1:4318`; unset: no traces'),
  AGENT_TOKEN: z
    .string({
      error:
        'is not set. Set it to the token that `npm run ops -- agents enrol` prints, or to the AGENT_TOKEN of the coordinators',
    })
    .min(8, 'must have at least 8 characters')
    .meta(secret('the token of this agent, from `npm run ops -- agents enrol`, or the one that all agents share')),
  AGENT_CONCURRENCY: integerSetting(4, { min: 1, max: 100 }).describe('how many tasks run at the same time'),
  COLLECT_RUNG: z
    .enum(['auto', 'http', 'browser'])
    .default('auto')
    .describe(
      'how to send requests to the map site: `http`: only plain HTTP; `browser`: only Chromium; `auto`: plain HTTP first, Chromium when needed',
    ),
  EXIT_RATE: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,3}:[1-9]\d{0,3})$/, 'must be two numbers like 20:60, or 0')
    .default('20:60')
    .describe(
      'requests per minute of one address or proxy to the map site, of all agents that share it, as `first:maximum`; where they differ, the smallest holds; 0: no limit, only for simulated sites',
    ),
  EXIT_NAME: ExitName.optional().describe(
    "the name of the agent's own internet address; agents with the same name share its pace and pauses. Unset: the address that the coordinator sees, and one for all agents on private addresses",
  ),
  EXIT_IN_FLIGHT: integerSetting(1, { min: 1, max: 100 }).describe(
    'requests of one address or proxy that this agent has under way at the same time',
  ),
  EXIT_REST_SECONDS: integerSetting(1_800, { min: 1, max: 86_400 }).describe(
    'seconds that an address or proxy is paused after its first refusal by the map site; doubled with each refusal, with jitter, up to a day',
  ),
  MAPS_BASE_URL: urlSetting().default('https://www.google.com').describe('the map site'),
  WEBSITE_ROBOTS: z
    .enum(['obey', 'ignore'])
    .default('obey')
    .describe('whether to obey the robots.txt of business websites'),
  CHROMIUM_PATH: z
    .string()
    .refine(isProgram, 'must be the path of an executable program')
    .optional()
    .describe("the Chromium to run; unset: Playwright's, else one on the PATH, else the one from npm"),
  CHROMIUM_SANDBOX: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'whether Chromium uses its sandbox, which does not work as root; with `off`, pages of strangers run with the rights of the agent',
    ),
  EGRESS_ALLOW_HOSTS: allowHostsSetting().describe(
    'hosts or host:port, separated by commas, that the agent may reach in private networks; for tests and home labs',
  ),
  HOST: z.string().default('127.0.0.1').describe('the address that the metrics listen on'),
  METRICS_PORT: optionalPortSetting().describe(
    'the port of the Prometheus metrics, `/health` and `/livez`; unset: none of them. The agent of `npm start` never serves them: to get its metrics, run it with `npm run agent`',
  ),
  LOG_LEVEL: logLevelSetting(),
}

export type AgentConfig = ReturnType<typeof readAgentConfig>

/** @throws ConfigError that names every wrong setting at once. */
export function readAgentConfig(env: Environment) {
  return readEnv(AGENT_SETTINGS, env)
}

/** Reads the settings that collecting needs, with or without a coordinator. Throws as above. */
export function readCollectingConfig(env: Environment) {
  const { COLLECT_RUNG, MAPS_BASE_URL, CHROMIUM_PATH, EGRESS_ALLOW_HOSTS, LOG_LEVEL } = AGENT_SETTINGS
  const { EXIT_RATE, EXIT_IN_FLIGHT, EXIT_REST_SECONDS, CHROMIUM_SANDBOX } = AGENT_SETTINGS
  const exits = { EXIT_RATE, EXIT_IN_FLIGHT, EXIT_REST_SECONDS, CHROMIUM_SANDBOX }
  return readEnv({ COLLECT_RUNG, MAPS_BASE_URL, CHROMIUM_PATH, EGRESS_ALLOW_HOSTS, LOG_LEVEL, ...exits }, env)
}

export function exitLimits({
  EXIT_RATE,
  EXIT_IN_FLIGHT,
  EXIT_REST_SECONDS,
}: Pick<AgentConfig, 'EXIT_RATE' | 'EXIT_IN_FLIGHT' | 'EXIT_REST_SECONDS'>): AgentExitLimits {
  const [start = 0, most = start] = EXIT_RATE.split(':').map(Number)
  const pace = start === 0 ? undefined : { start, most: Math.max(start, most) }
  return { pace, inFlight: EXIT_IN_FLIGHT, restMs: EXIT_REST_SECONDS * 1_000 }
}
