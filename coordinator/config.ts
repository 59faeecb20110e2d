import {
  allowHostsSetting,
  integerSetting,
  logLevelSetting,
  mongoUrlSetting,
  natsUrlSetting,
  optionalPortSetting,
  portSetting,
  readEnv,
  urlSetting,
} from '@placefleet/shared/config'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { isChosenKey } from './accounts/key-format.ts'
import type { RatePolicy } from './http/rate-limit/bucket.ts'

/** A rate limit as `sustained:burst`, in requests per second and requests, e.g. `2:5`. */
const rateSetting = (fallback: RatePolicy) =>
  z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6})?:\d{1,6}$/, 'must be sustained:burst, e.g. 2:5')
    .transform((text): RatePolicy => {
      const [rate = 0, burst = 0] = text.split(':').map(Number)
      return { rate, burst }
    })
    .refine(({ rate, burst }) => rate > 0 && burst >= 1, 'must be above zero')
    .default(fallback)

/** Addresses or CIDRs, divided by commas. */
const networksSetting = () =>
  z
    .string()
    .transform((text) => text.split(',').flatMap((item) => item.trim() || []))
    .refine((networks) => networks.every(isNetwork), 'must be addresses or CIDRs, e.g. 10.0.0.0/8, divided by commas')
    .default([])

const { IPv4, IPv6 } = ipaddr

/** Short forms of IPv4 such as `10.1` are rejected, and so are networks of all addresses. */
function isNetwork(text: string): boolean {
  if (!text.includes('/')) return IPv4.isValidFourPartDecimal(text) || IPv6.isValid(text)
  return !text.endsWith('/0') && (IPv4.isValidCIDRFourPartDecimal(text) || IPv6.isValidCIDR(text))
}

const SETTINGS = {
  HOST: z.string().default('127.0.0.1'), // nothing is open to the world unless somebody asks for it
  PORT: portSetting(8080),
  GRPC_PORT: portSetting(50_051),
  METRICS_PORT: optionalPortSetting(), // apart from the API, so that it is never exposed with it; unset: no metrics
  DATA_DIR: z.string().default('./data'),
  MONGODB_URL: mongoUrlSetting(),
  NATS_URL: natsUrlSetting(),
  NATS_TLS_CA: z.string().optional(), // PEM file of who vouches for a tls:// NATS; unset: the system's authorities
  AGENT_TOKEN: z.string().min(8, 'must have at least 8 characters').optional(), // unset: enrolled agents only
  GRPC_TLS_CERT: z.string().optional(), // PEM files; unset: agents are served without encryption
  GRPC_TLS_KEY: z.string().optional(),
  GRPC_TLS_CLIENT_CA: z.string().optional(), // set: agents must have a certificate of theirs
  DRAIN_SECONDS: integerSetting(5, { max: 10 }), // from SIGTERM until no more requests are taken; balancers look by then
  PUBLIC_URL: urlSetting().optional(), // unset: the address the server listens on
  SECRETS_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
    .optional(),
  ENVIRONMENT: z.string().max(50).default('development'),
  LOG_LEVEL: logLevelSetting(),
  BUILD_DATE: z.string().max(50).optional(), // set by an image; a checkout knows its own
  GIT_COMMIT: z.string().max(40).optional(),
  BOOTSTRAP_EMAIL: z.email().optional(),
  BOOTSTRAP_API_KEY: z.string().refine(isChosenKey, 'must be svc_ and 8 to 196 letters, digits, - or _').optional(),
  BOOTSTRAP_CREDITS: integerSetting(0, { max: 1_000_000 }),
  RATE_FREE: rateSetting({ rate: 2, burst: 5 }), // these four: SPEC, "Limits"
  RATE_PAID: rateSetting({ rate: 10, burst: 30 }),
  RATE_SESSION: rateSetting({ rate: 5, burst: 20 }),
  RATE_JOB_CREATE: rateSetting({ rate: 1, burst: 3 }),
  RATE_SUPPORT: rateSetting({ rate: 0.0167, burst: 3 }), // one a minute
  RATE_ADDRESS: rateSetting({ rate: 20, burst: 60 }), // requests without an account, by client address
  TRUSTED_PROXIES: networksSetting(), // addresses or CIDRs whose X-Forwarded-For is believed; by default nobody's
  MAX_CONCURRENT_JOBS_FREE: integerSetting(5, { min: 1, max: 10_000 }),
  MAX_CONCURRENT_JOBS_PAID: integerSetting(20, { min: 1, max: 10_000 }),
  WEBHOOK_HOURLY_ACCOUNT: integerSetting(100, { min: 1, max: 1_000_000 }), // deliveries an hour: SPEC, "Other limits"
  WEBHOOK_HOURLY_ADDRESS: integerSetting(50, { min: 1, max: 1_000_000 }),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^\S{8,}$/, 'must be a secret key of Stripe')
    .optional(), // unset: credits cannot be bought
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^\S{8,}$/, 'must be the signing secret of an endpoint of Stripe')
    .optional(),
  STRIPE_API_BASE: urlSetting().optional(), // instead of Stripe's own servers: for tests
  WEBHOOK_ALLOW_HOSTS: allowHostsSetting(), // as the next one, for the URLs of webhooks
  EGRESS_ALLOW_HOSTS: allowHostsSetting(), // exempt from the private-network rule: for tests and home labs
}

export type Config = ReturnType<typeof readConfig>

/**
 * The settings of a coordinator.
 * @throws ConfigError that names everything that is wrong in one go.
 */
export function readConfig(env: Record<string, string | undefined>) {
  return readEnv(SETTINGS, env)
}
