import { accessSync, constants, statSync } from 'node:fs'
import { hostname } from 'node:os'
import {
  allowHostsSetting,
  integerSetting,
  logLevelSetting,
  natsUrlSetting,
  optionalPortSetting,
  readEnv,
  urlSetting,
} from '@placefleet/shared/config'
import { z } from 'zod'

/** Asked before there is work, since a wrong one would make every task that needs Chromium fail. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const SETTINGS = {
  COORDINATOR_GRPC: z
    .string()
    .regex(/^[^\s:/]+:\d{1,5}$|^\[[^\]]+\]:\d{1,5}$/, 'must be host:port')
    .default('127.0.0.1:50051'),
  NATS_URL: natsUrlSetting().default('nats://127.0.0.1:4222'),
  NATS_TLS_CA: z.string().optional(), // PEM file of who vouches for a tls:// NATS; unset: the system's authorities
  COORDINATOR_TLS_CA: z.string().optional(), // likewise for the coordinator, or `system`; unset: no encryption
  AGENT_TLS_CERT: z.string().optional(), // PEM files, for coordinators that want a certificate of their agents
  AGENT_TLS_KEY: z.string().optional(),
  AGENT_NAME: z.string().max(100).default(hostname()),
  AGENT_TOKEN: z
    .string({ error: 'is not set: it is the one that `npm run ops -- agents enrol` gave, or that of the coordinators' })
    .min(8, 'must have at least 8 characters'),
  AGENT_CONCURRENCY: integerSetting(4, { min: 1, max: 100 }), // a task over plain HTTP waits more than it computes
  COLLECT_RUNG: z.enum(['auto', 'http', 'browser']).default('auto'),
  MAPS_BASE_URL: urlSetting().default('https://www.google.com'),
  CHROMIUM_PATH: z.string().refine(isProgram, 'must name a program that may be executed').optional(),
  EGRESS_ALLOW_HOSTS: allowHostsSetting(), // exempt from the private-network rule: for tests and home labs only
  HOST: z.string().default('127.0.0.1'), // where the metrics are served
  METRICS_PORT: optionalPortSetting(), // unset: no metrics
  LOG_LEVEL: logLevelSetting(),
}

export type AgentConfig = ReturnType<typeof readAgentConfig>

/**
 * The settings of an agent.
 * @throws ConfigError that names everything that is wrong in one go.
 */
export function readAgentConfig(env: Record<string, string | undefined>) {
  return readEnv(SETTINGS, env)
}

/**
 * Those of the settings that collecting itself needs, with or without a coordinator.
 * @throws ConfigError that names everything that is wrong in one go.
 */
export function readCollectingConfig(env: Record<string, string | undefined>) {
  const { COLLECT_RUNG, MAPS_BASE_URL, CHROMIUM_PATH, EGRESS_ALLOW_HOSTS, LOG_LEVEL } = SETTINGS
  return readEnv({ COLLECT_RUNG, MAPS_BASE_URL, CHROMIUM_PATH, EGRESS_ALLOW_HOSTS, LOG_LEVEL }, env)
}
