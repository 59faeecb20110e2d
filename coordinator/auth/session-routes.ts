import type { Db } from 'mongodb'
import { z } from 'zod'
import type { ProviderSession } from '../accounts/documents.ts'
import { roleOf } from '../accounts/roles.ts'
import { endOf, endSessionOf, endSessionsOf, findSession, listSessions } from '../accounts/sessions.ts'
import { findUser } from '../accounts/store.ts'
import { accountOf, notSignedIn, sessionIdOf } from '../http/authentication.ts'
import { orNotFound } from '../http/errors.ts'
import { IdParams } from '../http/params.ts'
import { jsonResponse, noContent } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { BrowserSessions } from './browser-session.ts'
import type { Oidc } from './oidc/oidc.ts'
import { CurrentSession, presentLimits, presentSession, Session, type SessionLimits } from './session-schema.ts'

type SessionRoutesDeps = {
  db: Db
  browser: BrowserSessions
  oidc: Pick<Oidc, 'endSessionUrl'>
  secrets: SecretBox
  limits: SessionLimits
  sellsCredits: boolean
}

const ONLY_SESSIONS = { tags: ['signing in'], security: [{ session: [] }] }

/** Registers the routes that show, list and end sessions. API keys get 401: they have no session. */
export async function sessionRoutes(app: Server, deps: SessionRoutesDeps): Promise<void> {
  showRoutes(app, deps)
  endRoutes(app, deps)
  signOutRoute(app, deps)
}

function showRoutes(app: Server, { db, limits, sellsCredits }: SessionRoutesDeps): void {
  const current = { 200: jsonResponse(CurrentSession, 'The current session') }
  const who = {
    ...ONLY_SESSIONS,
    operationId: 'getCurrentSession',
    summary: 'Get the current session',
    response: current,
  }
  app.get('/auth/session', { schema: who }, async (request) => {
    const { user_id, paid } = accountOf(request)
    const [session, user] = await Promise.all([findSession(db, sessionIdOf(request)), findUser(db, user_id)])
    if (!session || !user) throw notSignedIn()
    const { _id: id, email } = user
    return {
      user: { id, email, role: roleOf(user) },
      expires_at: endOf(session).toISOString(),
      limits: presentLimits(limits, paid),
      sells_credits: sellsCredits,
      csrf: 'same-origin' as const,
    }
  })

  const listed = { 200: jsonResponse(z.array(Session), 'The active sessions') }
  const list = { ...ONLY_SESSIONS, operationId: 'listSessions', summary: 'List your sessions', response: listed }
  app.get('/auth/sessions', { schema: list }, async (request) => {
    const session_id = sessionIdOf(request)
    return (await listSessions(db, accountOf(request).user_id)).map((session) => presentSession(session, session_id))
  })
}

function endRoutes(app: Server, { db }: SessionRoutesDeps): void {
  const ended = { 204: noContent('The session has ended') }
  const end = {
    ...ONLY_SESSIONS,
    operationId: 'endSession',
    summary: 'End a session',
    params: IdParams,
    response: ended,
  }
  app.delete('/auth/sessions/:id', { schema: end }, async (request, reply) => {
    sessionIdOf(request)
    orNotFound(await endSessionOf(db, accountOf(request).user_id, request.params.id), 'session')
    return reply.code(204).send()
  })

  const others = { 204: noContent('The other sessions have ended') }
  const endOthers = {
    ...ONLY_SESSIONS,
    operationId: 'endOtherSessions',
    summary: 'End all other sessions',
    response: others,
  }
  app.delete('/auth/sessions', { schema: endOthers }, async (request, reply) => {
    await endSessionsOf(db, accountOf(request).user_id, sessionIdOf(request))
    return reply.code(204).send()
  })
}

function signOutRoute(app: Server, { db, browser, oidc, secrets }: SessionRoutesDeps): void {
  const out = {
    204: noContent('Signed out here. Open `Location`, if present, to sign out at the identity provider as well'),
  }
  app.post(
    '/auth/logout',
    { schema: { ...ONLY_SESSIONS, operationId: 'signOut', summary: 'Sign out', response: out } },
    async (request, reply) => {
      const session = await endSessionOf(db, accountOf(request).user_id, sessionIdOf(request))
      browser.forget(reply)
      const url = session?.provider && (await logoutUrl(session.provider))
      if (url) reply.header('location', url.href)
      return reply.code(204).send()
    },
  )

  /** Returns the sign-out page of the provider; undefined when it is not available. The session here has ended in any case. */
  const logoutUrl = async ({ id_token }: ProviderSession): Promise<URL | undefined> => {
    try {
      return await oidc.endSessionUrl(secrets.open(id_token))
    } catch (error) {
      app.log.warn({ err: error }, 'signed out here, but not at the identity provider')
      return undefined
    }
  }
}
