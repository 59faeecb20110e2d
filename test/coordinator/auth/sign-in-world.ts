import { randomBytes } from 'node:crypto'
import type { FirstOperator } from '@placefleet/coordinator/auth/claim'
import { createOidc, oidcNotConfigured } from '@placefleet/coordinator/auth/oidc/oidc'
import { OIDC_SETTINGS, oidcSettings } from '@placefleet/coordinator/auth/oidc/settings'
import { authRoutes } from '@placefleet/coordinator/auth/routes'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { microCredits } from '@placefleet/coordinator/billing/prices/cost'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { createSecretBox } from '@placefleet/coordinator/secrets/secret-box'
import { readEnv } from '@placefleet/shared/config'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { startApi, type TestApi } from '../../harness/coordinator/api.ts'
import { sampleRoutes } from '../../harness/coordinator/sample-routes.ts'
import type { Browser } from '../../harness/identity/browser.ts'
import { CLIENT_ID, CLIENT_SECRET, type IdentityProvider } from '../../harness/identity/provider.ts'
import { freePort } from '../../harness/network/free-port.ts'

type WhenOver = (end: () => Promise<void>) => void

export type SignInOptions = {
  publicUrl?: string
  /** Undefined: no provider is set. */
  issuer?: string
  settings?: Record<string, string>
  bonus?: string
  firstOperator?: FirstOperator
}

/** A person whom the provider knows, and whose email it has verified. */
export const person = (more: object = {}) => ({
  sub: crypto.randomUUID(),
  email: `${crypto.randomUUID()}@example.com`,
  email_verified: true,
  ...more,
})

/** Starts an API with the routes of signing in and a few others, at its public address, by default one of its own. */
export async function startSignIn(db: Db, options: SignInOptions = {}, whenOver?: WhenOver): Promise<TestApi> {
  const { publicUrl = `http://127.0.0.1:${await freePort()}`, issuer, settings = {}, bonus = '0' } = options
  const log = createLogger('sign-in', process.env.TEST_LOG_LEVEL ?? 'silent')
  const given = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET, ...settings }
  const oidc = oidcSettings(readEnv(OIDC_SETTINGS, issuer === undefined ? {} : given))
  const parts = { db, log, publicUrl, ledger: createLedger(mongoLedgerStore(db)), signupBonus: microCredits(bonus) }
  const api = {
    port: Number(new URL(publicUrl).port),
    publicUrl,
    log,
    async routes(server: Server) {
      await server.register(authRoutes, {
        db,
        publicUrl,
        oidc: oidc ? createOidc(oidc, parts) : oidcNotConfigured,
        secrets: createSecretBox(randomBytes(32)),
        limits: {
          rate: { rate: 5, burst: 20 },
          keyRate: { free: { rate: 2, burst: 5 }, paid: { rate: 10, burst: 30 } },
          activeJobs: { free: 3, paid: 30 },
        },
        sellsCredits: false,
        firstOperator: options.firstOperator,
        onLinkUsed: async () => undefined,
      })
      await server.register(sampleRoutes, { prefix: '/api/v1' })
    },
  }
  return startApi(db, api, whenOver)
}

/** Walks through a sign-in at the provider, and gives the address of ours where it ended. */
export async function signInAs(
  browser: Browser,
  provider: IdentityProvider,
  publicUrl: string,
  person: IdentityProvider['person'],
): Promise<string> {
  provider.person = person
  const { url } = await browser.open(`${publicUrl}/auth/login`, isConsole(publicUrl))
  return url.pathname + url.search
}

/** Stops a walk before the console, which is not served in these tests. */
export const isConsole = (publicUrl: string) => (next: URL) =>
  next.origin === publicUrl && next.pathname.startsWith('/console')

/** Stops a walk before the provider's answer reaches us. */
export const isCallback = (next: URL): boolean => next.pathname === '/auth/callback'

/** Reads the user who is signed in in a browser; undefined when there is none. */
export async function signedIn(browser: Browser, publicUrl: string) {
  const { status, text } = await browser.call('GET', `${publicUrl}/auth/session`)
  if (status !== 200) return undefined
  return JSON.parse(text) as { user: { id: string; email: string; role: string }; expires_at: string; csrf: string }
}
