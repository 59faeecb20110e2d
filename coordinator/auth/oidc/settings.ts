import { ConfigError } from '@placefleet/shared/config'
import { secret } from '@placefleet/shared/setting-types'
import { z } from 'zod'

const flag = (fallback: 'true' | 'false') =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .prefault(fallback)

/** Items separated by commas. */
const list = () =>
  z
    .string()
    .transform((text) => text.split(',').flatMap((item) => item.trim() || []))
    .prefault('')

/** The settings of an identity provider. */
export const OIDC_SETTINGS = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .optional()
    .describe(
      'the issuer URL of the OpenID Connect provider, exactly as the provider writes it; unset: users sign in with one-time links only',
    ),
  OIDC_CLIENT_ID: z
    .string()
    .optional()
    .describe('the client id of Placefleet at the provider; set it together with `OIDC_ISSUER`'),
  OIDC_CLIENT_SECRET: z.string().optional().meta(secret('its secret; set together with `OIDC_ISSUER`')),
  OIDC_NAME: z.string().max(50).default('Single sign-on').describe('the name of the provider on the sign-in page'),
  OIDC_SCOPES: z
    .string()
    .regex(/(^| )openid( |$)/, 'must contain the scope openid')
    .default('openid email profile')
    .describe('the scopes that are requested from the provider'),
  OIDC_SIGNUP: flag('true').describe('whether a first sign-in creates an account'),
  OIDC_TRUST_EMAIL: flag('false').describe(
    'whether an email counts as verified even if the provider does not say so; safe only if people cannot choose their email there',
  ),
  OIDC_ALLOWED_DOMAINS: list()
    .transform((domains) => domains.map((domain) => domain.toLowerCase()))
    .describe('the email domains that may sign in, separated by commas; unset: all'),
  OIDC_OPERATOR_CLAIM: z
    .string()
    .default('groups')
    .describe('the claim that decides who is an operator, e.g. `groups` or `realm_access.roles`'),
  OIDC_OPERATOR_VALUES: list().describe(
    'people with one of these values in that claim are operators, everybody else is not; checked at each sign-in, and counts for seven days after it. Unset: roles ' +
      'are set with `ops` only',
  ),
}

/** An identity provider, and the rules for its users. */
export type OidcSettings = {
  issuer: URL
  clientId: string
  clientSecret: string
  name: string
  scopes: string
  rules: AccountRules
}

/** Decides who gets an account through the identity provider, and with which role. */
export type AccountRules = {
  signup: boolean
  trustEmail: boolean
  allowedDomains: readonly string[]
  operatorClaim: string
  operatorValues: readonly string[]
}

type Given = z.infer<z.ZodObject<typeof OIDC_SETTINGS>>

/**
 * Returns the identity provider of a coordinator; undefined when none is configured.
 * @throws ConfigError when only some of the required settings are set.
 */
export function oidcSettings(config: Given): OidcSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config
  const needed = { OIDC_ISSUER, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? name : []))
  if (missing.length === 3) return undefined
  if (OIDC_ISSUER === undefined || clientId === undefined || clientSecret === undefined) {
    throw new ConfigError(
      `${missing.join(' and ')} must be set too: OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together.`,
    )
  }
  return {
    issuer: new URL(OIDC_ISSUER),
    clientId,
    clientSecret,
    name: config.OIDC_NAME,
    scopes: config.OIDC_SCOPES,
    rules: {
      signup: config.OIDC_SIGNUP,
      trustEmail: config.OIDC_TRUST_EMAIL,
      allowedDomains: config.OIDC_ALLOWED_DOMAINS,
      operatorClaim: config.OIDC_OPERATOR_CLAIM,
      operatorValues: config.OIDC_OPERATOR_VALUES,
    },
  }
}
