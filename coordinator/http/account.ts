import type { FastifyRequest } from 'fastify'
import type { Credential } from './credentials.ts'
import { AppError } from './errors.ts'
import type { Reading } from './rate-limit/bucket.ts'

/** Whom a request acts for, and by what it got in. */
export type Account = {
  user_id: string
  /** Absent for a session. */
  key_id?: string
  /** Jobs made with this request have this source. */
  source: 'api' | 'web'
  /** Whether the higher limits hold. */
  paid: boolean
}

/** A valid credential's account and what its rate limit said about this request. */
export type Admission = { account: Account; granted: boolean; reading: Reading }

/** Decides over credentials: one database round trip that finds the account and takes from its bucket. */
export type Access = {
  /** Undefined when the credential is unknown, expired or revoked. */
  admit(credential: Credential): Promise<Admission | undefined>
}

declare module 'fastify' {
  interface FastifyRequest {
    account: Account | undefined
  }
  interface FastifyContextConfig {
    /**
     * Who may call a route: who has an account (the default), anyone within the limit of the client's address, or
     * anyone without limit.
     */
    access?: 'account' | 'anyone' | 'unlimited'
  }
}

/**
 * The account a request acts for.
 * @throws AppError `unauthorized` on a route that is open to anyone.
 */
export function accountOf(request: FastifyRequest): Account {
  if (!request.account) throw unauthorized()
  return request.account
}

/** One answer for a credential that is missing, malformed, unknown or revoked: it must not tell which. */
export function unauthorized(): AppError {
  const message = 'Send a valid API key as `Authorization: Bearer svc_…` or `X-API-Key: svc_…`.'
  return new AppError('unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } })
}
