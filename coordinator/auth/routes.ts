import cookie from '@fastify/cookie'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { rejectForeignPage } from '../http/authentication.ts'
import { AppError } from '../http/errors.ts'
import { noContent } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { type BrowserSessions, createBrowserSessions } from './browser-session.ts'
import { claimRoute, type FirstOperator } from './claim.ts'
import { deviceRoutes } from './device/routes.ts'
import { redeemSignInLink } from './links.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { backchannelLogoutRoute } from './oidc/backchannel-logout.ts'
import type { Oidc } from './oidc/oidc.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { sessionRoutes } from './session-routes.ts'
import type { SessionLimits } from './session-schema.ts'

type AuthRoutesOptions = {
  db: Db
  publicUrl: string | undefined
  oidc: Oidc
  secrets: SecretBox
  limits: SessionLimits
  sellsCredits: boolean
  firstOperator: FirstOperator | undefined
  /** Called after a sign-in with a one-time link and before the response. Must not throw. */
  onLinkUsed(user_id: string): Promise<void>
}

/** Registers the routes below `/auth`: sign-in by a link or an identity provider, sessions, and sign-out. */
export async function authRoutes(app: Server, options: AuthRoutesOptions): Promise<void> {
  const { db, publicUrl, oidc } = options
  await app.register(cookie)
  const deps = { ...options, browser: createBrowserSessions(db, publicUrl) }
  await sessionRoutes(app, deps)
  await linkRoutes(app, deps)
  await claimRoute(app, deps)
  await deviceRoutes(app, deps)
  await oauthRoutes(app, deps)
  await oidcRoutes(app, deps)
  await app.register(backchannelLogoutRoute, { db, oidc })
}

const RedeemSignInLink = z
  .strictObject({ token: z.string().min(1).max(200).describe('the text after `#link=` in the link') })
  .meta({
    id: 'RedeemSignInLink',
    description: 'The token of a one-time link.',
    examples: [{ token: 'q3Zk0v3mV7m0u3m8b1xw6o1Q2nY4c5e6f7g8h9i0jkl' }],
  })

type LinkRoutesDeps = Pick<AuthRoutesOptions, 'db' | 'publicUrl' | 'onLinkUsed'> & { browser: BrowserSessions }

/** `POST /auth/link`: exchanges a one-time link for a session. */
async function linkRoutes(app: Server, { db, browser, publicUrl, onLinkUsed }: LinkRoutesDeps): Promise<void> {
  const response = { 204: noContent('Signed in. The response sets the session cookie') }
  const schema = {
    tags: ['signing in'],
    operationId: 'redeemSignInLink',
    summary: 'Sign in with a one-time link',
    security: [],
    body: RedeemSignInLink,
    response,
  }
  app.post('/auth/link', { config: { access: 'anyone' }, schema }, async (request, reply) => {
    // Another site must not sign a browser in to a foreign account (login CSRF).
    rejectForeignPage(request.headers, publicUrl)
    const user_id = await redeemSignInLink(db, request.body.token)
    if (user_id === undefined) {
      const message =
        'The link was used, expired after 15 minutes, or never existed. Create a new one: npm run ops -- users sign-in-link'
      throw new AppError('sign_in_link_invalid', message)
    }
    await browser.begin(request, reply, user_id, { signed_in_by: 'link' })
    await onLinkUsed(user_id)
    return reply.code(204).send()
  })
}
