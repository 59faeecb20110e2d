import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { UserDocument } from '../../accounts/documents.ts'
import type { Ledger } from '../../billing/ledger/ledger.ts'
import { type MicroCredits, microCredits } from '../../billing/prices/cost.ts'
import type { Context } from '../../context.ts'
import { publicUrlOf } from '../../http/addresses.ts'
import { SignInError } from '../failure.ts'
import type { Claims } from './claims.ts'
import { userOf } from './people.ts'
import { createProvider, type Provider } from './provider.ts'
import { type OidcSettings, oidcSettings } from './settings.ts'

/** Sign-in through an identity provider, and the accounts of its users. */
export type Oidc = Provider & {
  /** Returns the user of a person, linked or created at their first sign-in; see `people.ts`. */
  userOf(claims: Claims): Promise<UserDocument>
}

type OidcDeps = { db: Db; ledger: Ledger; log: Logger; publicUrl: string; signupBonus: MicroCredits }

/** Creates sign-in through the identity provider of the settings. Its first request comes with the first sign-in. */
export function createOidc(settings: OidcSettings, { db, ledger, log, publicUrl, signupBonus }: OidcDeps): Oidc {
  const deps = { db, ledger, rules: settings.rules, signupBonus }
  return { ...createProvider(settings, publicUrl, log), userOf: (claims) => userOf(deps, claims) }
}

const refuse = async (): Promise<never> => {
  throw new SignInError('not_configured', 'OIDC_ISSUER is not set.')
}

/** Replaces the provider when none is configured: every sign-in through it fails with `not_configured`. */
export const oidcNotConfigured: Oidc = {
  name: undefined,
  failure: async () => 'not_configured',
  authorizationUrl: refuse,
  exchange: refuse,
  endSessionUrl: async () => undefined,
  verifyLogoutToken: refuse,
  userOf: refuse,
}

/** Creates sign-in through the identity provider of a coordinator, if it has one. */
export function createSignIn({ config, db, log }: Context, ledger: Ledger): Oidc {
  const settings = oidcSettings(config)
  const signupBonus = microCredits(config.SIGNUP_BONUS_CREDITS)
  return settings
    ? createOidc(settings, { db, ledger, log, publicUrl: publicUrlOf(config), signupBonus })
    : oidcNotConfigured
}
