import { hostname } from 'node:os'
import { allowHostsSetting, integerSetting, readEnv, urlSetting } from '@placefleet/shared/config'
import { z } from 'zod'

const SETTINGS = {
  COORDINATOR_GRPC: z
    .string()
    .regex(/^[^\s:/]+:\d{1,5}$|^\[[^\]]+\]:\d{1,5}$/, 'must be host:port')
    .default('127.0.0.1:50051'),
  NATS_URL: z
    .string()
    .regex(/^(nats|tls):\/\/./, 'must begin with nats:// or tls://')
    .default('nats://127.0.0.1:4222'),
  AGENT_NAME: z.string().max(100).default(hostname()),
  AGENT_TOKEN: z
    .string({ error: 'is needed: set it as the coordinator has it' })
    .min(8, 'must have at least 8 characters'),
  AGENT_CONCURRENCY: integerSetting(4, { min: 1, max: 100 }), // a task over plain HTTP waits more than it computes
  COLLECT_RUNG: z.enum(['auto', 'http', 'browser']).default('auto'),
  MAPS_BASE_URL: urlSetting().default('https://www.google.com'),
  EGRESS_ALLOW_HOSTS: allowHostsSetting(), // exempt from the private-network rule: for tests and home labs only
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
}

export type AgentConfig = ReturnType<typeof readAgentConfig>

/**
 * The settings of an agent.
 * @throws ConfigError that names everything that is wrong in one go.
 */
export function readAgentConfig(env: Record<string, string | undefined>) {
  return readEnv(SETTINGS, env)
}
