import { type Environment, readEnv } from '@placefleet/shared/config'
import {
  allowHostsSetting,
  integerSetting,
  logLevelSetting,
  mongoUrlSetting,
  natsUrlSetting,
  optionalPortSetting,
  portSetting,
  secret,
  urlSetting,
} from '@placefleet/shared/setting-types'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { isChosenKey } from './accounts/key-format.ts'
import { OIDC_SETTINGS, oidcSettings } from './auth/oidc/settings.ts'
import { STRIPE_SETTINGS } from './billing/purchases/stripe/settings.ts'
import type { RatePolicy } from './http/rate-limit.ts'

/** A setting for a rate limit as `sustained:burst`, in requests per second and requests, e.g. `2:5`. */
const rateSetting = (fallback: string) =>
  z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6})?:\d{1,6}$/, 'must be sustained:burst, e.g. 2:5')
    .transform((text): RatePolicy => {
      const [rate = 0, burst = 0] = text.split(':').map(Number)
      return { rate, burst }
    })
    .refine(({ rate, burst }) => rate > 0 && burst >= 1, 'must be above zero')
    .prefault(fallback)

/** Credits as a decimal string, e.g. `12.5`. */
const creditsSetting = (fallback: string) =>
  z
    .string()
    .regex(/^\d{1,7}(\.\d{1,6})?$/, 'must be an amount in credits with at most 6 decimals, e.g. 12.5')
    .refine((credits) => Number(credits) <= 1_000_000, 'must be at most 1000000')
    .default(fallback)

/** Addresses or CIDRs, separated by commas. */
const networksSetting = () =>
  z
    .string()
    .transform((text) => text.split(',').flatMap((item) => item.trim() || []))
    .refine((networks) => networks.every(isNetwork), 'must be addresses or CIDRs, e.g. 10.0.0.0/8, separated by commas')
    .prefault('')

/** Names of agents, separated by commas. */
export const agentNamesSetting = () =>
  z
    .string()
    .regex(/^[\w-]{1,64}(\s*,\s*[\w-]{1,64})*$/, 'must be names of agents, separated by commas')
    .transform((text): ReadonlySet<string> => new Set(text.split(/\s*,\s*/)))

const { IPv4, IPv6 } = ipaddr

/**
 * Returns whether a text is an address or a CIDR. Rejects short forms of IPv4 such as `10.1`, and networks of all
 * addresses.
 */
function isNetwork(text: string): boolean {
  if (!text.includes('/')) return IPv4.isValidFourPartDecimal(text) || IPv6.isValid(text)
  return !text.endsWith('/0') && (IPv4.isValidCIDRFourPartDecimal(text) || IPv6.isValidCIDR(text))
}

/** The email of the first user when only a key or a token is set. */
export const OWNER = 'owner@localhost.localdomain'

/** Every setting of a coordinator. `coordinator/guides/settings.md` is generated from these descriptions. */
export const COORDINATOR_SETTINGS = {
  HOST: z.string().default('127.0.0.1').describe('the address that the API, the agent port and the metrics listen on'),
  PORT: portSetting(8080).describe('the port of the API'),
  GRPC_PORT: portSetting(50_051).describe('the port that agents connect to'),
  METRICS_PORT: optionalPortSetting().describe('the port of the Prometheus metrics, on `HOST`; unset: no metrics'),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlSetting()
    .optional()
    .describe('an OpenTelemetry collector that gets traces over HTTP, e.g. `http://127.0.0.1:4318`; unset: no traces'),
  DATA_DIR: z.string().default('./data').describe('where `npm start` and `npm run services` keep everything'),
  MONGODB_URL: mongoUrlSetting().meta(secret('the address of MongoDB; unset: `npm start` starts one')),
  NATS_URL: natsUrlSetting().meta(
    secret(
      'the address of NATS, or several of one cluster separated by commas. The first carries the user and password, or ' +
        'the token. Unset: `npm start` starts one',
    ),
  ),
  NATS_TLS_CA: z
    .string()
    .optional()
    .describe(
      "PEM file with the authorities that sign the certificate of NATS; requires TLS like `tls://`, which alone uses the system's authorities",
    ),
  NATS_REPLICAS: integerSetting(1, { min: 1, max: 5 }).describe(
    'how many servers of a NATS cluster store the queue: 3 survive the loss of one; a single server needs 1',
  ),
  AGENT_TOKEN: z
    .string()
    .min(24, 'must have at least 24 characters; `openssl rand -hex 16` makes one')
    .optional()
    .meta(secret('the token that agents share; unset: only enrolled agents are accepted')),
  GRPC_TLS_CERT: z
    .string()
    .optional()
    .describe('PEM file with the certificate of the agent port; unset: no encryption'),
  GRPC_TLS_KEY: z.string().optional().describe('PEM file with the key of `GRPC_TLS_CERT`'),
  GRPC_TLS_CLIENT_CA: z
    .string()
    .optional()
    .describe('PEM file; when set, agents need a certificate signed by it (mutual TLS)'),
  DRAIN_SECONDS: integerSetting(5, { max: 10 }).describe(
    'seconds from SIGTERM until the API refuses requests; set it above the health check interval of your load balancer',
  ),
  PUBLIC_URL: urlSetting()
    .optional()
    .describe(
      'the URL at which clients reach the API; with `https`, a proxy in front must terminate TLS. Unset: the address it listens on',
    ),
  MAP_STYLE_URL: urlSetting()
    .optional()
    .describe("a MapLibre style for the console's map; unset: the built-in map, which contacts no other host"),
  SECRETS_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
    .optional()
    .meta(
      secret(
        'encrypts proxies and signing secrets at rest: 32 bytes in base64 (`openssl rand -base64 32`), the same on all ' +
          'coordinators. `npm start` creates one in `DATA_DIR`',
      ),
    ),
  ENVIRONMENT: z.string().max(50).default('development').describe('shown by `/api/v1/version`'),
  LOG_LEVEL: logLevelSetting(),
  BUILD_DATE: z
    .string()
    .max(50)
    .optional()
    .describe('shown by `/api/v1/version`; container images set it, a checkout reads its own'),
  GIT_COMMIT: z
    .string()
    .max(40)
    .optional()
    .describe('shown by `/api/v1/version`; container images set it, a checkout reads its own'),
  BOOTSTRAP_EMAIL: z.email().optional().describe('the email of the first user, whom the first start creates'),
  BOOTSTRAP_API_KEY: z
    .string()
    .refine(isChosenKey, 'must be svc_ and 8 to 196 letters, digits, - or _')
    .optional()
    .meta(secret('an API key for the first user; unset: none, `npm run ops -- keys create` creates one')),
  ADMIN_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters: openssl rand -hex 16')
    .max(500)
    .optional()
    .meta(
      secret(
        'for installations without a shell: signs the first operator in at `/console/claim`, once; unset: `npm run ops -- users sign-in-link`',
      ),
    ),
  ADMIN_EMAIL: z.email().default(OWNER).describe('the email of the operator whom `ADMIN_TOKEN` signs in'),
  BOOTSTRAP_CREDITS: creditsSetting('0').describe('the credits of the first user (`npm start`: 1000)'),
  SIGNUP_BONUS_CREDITS: creditsSetting('0').describe(
    'the credits of each user who signs up through the identity provider',
  ),
  ...OIDC_SETTINGS,
  RATE_FREE: rateSetting('2:5').describe('requests of a free API key, as `sustained per second:burst`'),
  RATE_PAID: rateSetting('10:30').describe('requests of an API key of a paying user, in the same form'),
  RATE_SESSION: rateSetting('5:20').describe('requests of a session, in the same form'),
  RATE_JOB_CREATE: rateSetting('1:3').describe('new jobs of a user, in the same form'),
  RATE_SUPPORT: rateSetting('0.0167:3').describe(
    'support requests of a user, in the same form (the default is one per minute)',
  ),
  RATE_ADDRESS: rateSetting('20:60').describe('requests without an account by one client address, in the same form'),
  TRUSTED_PROXIES: networksSetting().describe(
    'addresses or CIDRs of proxies, separated by commas, whose `X-Forwarded-For` is trusted',
  ),
  PROXY_AGENTS: agentNamesSetting()
    .optional()
    .describe(
      'names of enrolled agents, separated by commas, that alone get proxies: those of jobs and of the pool (`ops exits add`); unset: all agents get them',
    ),
  MAX_CONCURRENT_JOBS_FREE: integerSetting(5, { min: 1, max: 10_000 }).describe('active jobs of a free user'),
  MAX_CONCURRENT_JOBS_PAID: integerSetting(20, { min: 1, max: 10_000 }).describe('active jobs of a paying user'),
  PENDING_HOURS: integerSetting(24, { min: 1, max: 10_000 }).describe(
    'hours after which a pending job fails that no connected agent may take; nothing is billed',
  ),
  RETENTION_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'must be a whole number of days')
    .transform(Number)
    .optional()
    .describe(
      'ended jobs with their places, and runs and changes of monitors, are deleted after this many days; unset: they are kept',
    ),
  WEBHOOK_HOURLY_ACCOUNT: integerSetting(100, { min: 1, max: 1_000_000 }).describe('deliveries per hour and account'),
  WEBHOOK_HOURLY_ADDRESS: integerSetting(50, { min: 1, max: 1_000_000 }).describe(
    'deliveries per hour to one receiving address',
  ),
  ...STRIPE_SETTINGS,
  WEBHOOK_ALLOW_HOSTS: allowHostsSetting().describe(
    'hosts or host:port, separated by commas, that webhooks may reach in private networks; users see the first kilobyte of their responses',
  ),
  EGRESS_ALLOW_HOSTS: allowHostsSetting().describe(
    'hosts or host:port, separated by commas, that jobs may reach in private networks as proxies or websites; for tests and home labs',
  ),
}

export type Config = ReturnType<typeof readConfig>

/**
 * Reads the settings of a coordinator.
 * @throws ConfigError that names all invalid settings at once.
 */
export function readConfig(env: Environment) {
  const config = readEnv(COORDINATOR_SETTINGS, env)
  oidcSettings(config) // throws when OIDC settings are incomplete
  return config
}
