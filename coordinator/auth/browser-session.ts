import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import type { SessionDocument } from '../accounts/documents.ts'
import { createSession, endSession } from '../accounts/sessions.ts'
import { cookieName, cookieOf } from '../http/authentication.ts'

/** The cookies of one deployment. */
export type BrowserSessions = {
  /**
   * Signs a browser in as a user with a new session. Its earlier session ends, which prevents session fixation. @throws
   * AppError `not_found` when the user does not exist.
   */
  begin(request: FastifyRequest, reply: FastifyReply, user_id: string, signIn: SignedInBy): Promise<void>
  /** Deletes the session cookie of the browser. */
  forget(reply: FastifyReply): void
  /** Returns the secret that ties a sign-in at the identity provider to this browser. Creates it when the browser has none. */
  flowSecret(request: FastifyRequest, reply: FastifyReply, seconds: number): string
  /** Returns that secret from the request; undefined when the browser sent none. */
  flowSecretOf(request: FastifyRequest): string | undefined
}

type SignedInBy = Pick<SessionDocument, 'signed_in_by' | 'provider'>

const FLOW_SECRET = /^[\w-]{43}$/
const MAX_USER_AGENT = 300

/** Sets and reads the cookies of sign-in. They are `SameSite=Lax`, so browsers send them when the provider redirects back. */
export function createBrowserSessions(db: Db, publicUrl: string | undefined): BrowserSessions {
  const [session, flow] = [cookieName('session', publicUrl), cookieName('flow', publicUrl)]
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: session.startsWith('__Host-') } as const
  const flowSecretOf = (request: FastifyRequest) => {
    const secret = cookieOf(request.headers, flow)
    return secret !== undefined && FLOW_SECRET.test(secret) ? secret : undefined
  }
  return {
    async begin(request, reply, user_id, signIn) {
      const user_agent = request.headers['user-agent']?.slice(0, MAX_USER_AGENT)
      const details = user_agent === undefined ? signIn : { ...signIn, user_agent }
      const { secret, expires_at } = await createSession(db, user_id, details)
      const before = cookieOf(request.headers, session)
      if (before !== undefined) await endSession(db, before)
      reply.setCookie(session, secret, { ...attributes, expires: expires_at })
    },
    forget: (reply) => void reply.clearCookie(session, attributes),
    flowSecret(request, reply, seconds) {
      const secret = flowSecretOf(request) ?? randomBytes(32).toString('base64url')
      reply.setCookie(flow, secret, { ...attributes, maxAge: seconds })
      return secret
    },
    flowSecretOf,
  }
}
