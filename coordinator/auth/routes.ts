import cookie from '@fastify/cookie'
import type { Db } from 'mongodb'
import type { Server } from '../http/typed-server.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { createBrowserSessions } from './browser-session.ts'
import { linkRoutes } from './link-routes.ts'
import { backchannelLogoutRoute } from './oidc/backchannel-logout.ts'
import type { Oidc } from './oidc/oidc.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { sessionRoutes } from './session-routes.ts'

export type AuthRoutesOptions = { db: Db; publicUrl: string | undefined; oidc: Oidc; secrets: SecretBox }

/** Everything below `/auth`: signing in by a link or an identity provider, the sessions that begin so, signing out. */
export async function authRoutes(app: Server, { db, publicUrl, oidc, secrets }: AuthRoutesOptions): Promise<void> {
  await app.register(cookie)
  const deps = { db, publicUrl, oidc, secrets, browser: createBrowserSessions(db, publicUrl) }
  await sessionRoutes(app, deps)
  await linkRoutes(app, deps)
  await oidcRoutes(app, deps)
  await app.register(backchannelLogoutRoute, { db, oidc })
}
