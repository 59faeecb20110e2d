import type { FastifyRequest } from 'fastify'
import type { Credential } from './credentials.ts'
import { AppError } from './errors.ts'
import type { Reading } from './rate-limit/bucket.ts'

/** The account that a request acts for. */
export type Account = {
  user_id: string
  /** Absent for a session. */
  key_id?: string
  /** Absent for an API key. */
  session_id?: string
  /** The source recorded on jobs that this request creates. */
  source: 'api' | 'web'
  /** Whether the limits of paid accounts apply. */
  paid: boolean
}

/** The account of a valid credential, and whether its rate limit granted this request. */
export type Authenticated = { account: Account; granted: boolean; reading: Reading }

export type Authenticator = {
  /**
   * Finds the account of a credential and takes one token from its rate limit, in one database round trip. Returns
   * undefined when the credential is unknown, expired or revoked.
   */
  authenticate(credential: Credential): Promise<Authenticated | undefined>
}

declare module 'fastify' {
  interface FastifyRequest {
    account: Account | undefined
  }
  interface FastifyContextConfig {
    /**
     * Who may call a route. `account` (default): callers with an account. `anyone`: everybody, limited by client
     * address. `unlimited`: everybody, without a limit.
     */
    access?: 'account' | 'anyone' | 'unlimited'
  }
}

/**
 * Returns the account that a request acts for.
 * @throws AppError `unauthorized` on a route that needs no account.
 */
export function accountOf(request: FastifyRequest): Account {
  if (!request.account) throw unauthorized()
  return request.account
}

/**
 * Returns the id of the session of a request.
 * @throws AppError `unauthorized` for a request with an API key: only a person who signed in has sessions.
 */
export function sessionIdOf(request: FastifyRequest): string {
  const session_id = request.account?.session_id
  if (session_id === undefined) throw notSignedIn()
  return session_id
}

/** The error for a call that only a signed-in person can make. */
export const notSignedIn = (): AppError => new AppError('unauthorized', 'You are not signed in. Sign in at /console/.')

/** The error for a missing, malformed, unknown or revoked credential. It is the same for all, so it reveals nothing. */
export function unauthorized(): AppError {
  const message = 'Send a valid API key as `Authorization: Bearer svc_…` or `X-API-Key: svc_…`.'
  return new AppError('unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } })
}
