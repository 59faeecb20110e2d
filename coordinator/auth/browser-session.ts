import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import type { SessionDocument } from '../accounts/documents.ts'
import { createSession, endSession } from '../accounts/sessions.ts'
import { cookieName, cookieOf } from '../http/authentication.ts'

/** The cookies of one deployment. */
export type BrowserSessions = {
  /**
   * Signs a browser in as a user. The session that it had before ends, so nobody can have planted the new one.
   * @throws AppError `not_found` without such a user.
   */
  begin(request: FastifyRequest, reply: FastifyReply, user_id: string, signIn: SignedInBy): Promise<void>
  /** Takes the session's cookie from the browser. */
  forget(reply: FastifyReply): void
  /** The secret of a browser on its way to the identity provider and back; made when it has none. */
  flowSecret(request: FastifyRequest, reply: FastifyReply, seconds: number): string
  /** The same on the way back; undefined when the browser brought none. */
  flowSecretOf(request: FastifyRequest): string | undefined
}

export type SignedInBy = Pick<SessionDocument, 'signed_in_by' | 'provider'>

const FLOW_SECRET = /^[\w-]{43}$/
const MAX_USER_AGENT = 300

/** Sets and reads the cookies of signing in. Lax, so that they are there when the provider sends the browser back. */
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
