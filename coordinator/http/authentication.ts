import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Authenticated, type Authenticator, unauthorized } from './account.ts'
import { type Credential, credentialOf, foreignPage, isPossiblyCrossSite } from './credentials.ts'
import type { AddressLimit } from './rate-limit/address-limit.ts'
import type { Reading } from './rate-limit/bucket.ts'
import { rateLimited, rateLimitHeaders } from './rate-limit/headers.ts'
import type { Server } from './typed-server.ts'

export type AuthenticationOptions = {
  authenticator: Authenticator
  addressLimit: AddressLimit
  /** Counts wrong credentials. An address with too many of them costs no query until its bucket refills. */
  guessLimit: AddressLimit
  publicUrl: string | undefined
}

/**
 * Authenticates and rate-limits every request before its body is read. Every response carries the headers of the limit
 * that applied.
 */
export function authenticateRequests(app: Server, options: AuthenticationOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    const { access = 'account' } = request.routeOptions.config
    if (access === 'unlimited') return
    const mayAuthenticate = access === 'account' && !options.guessLimit.isExhausted(request.ip)
    const credential = mayAuthenticate ? credentialOf(request.headers, options.publicUrl) : undefined
    const authenticated = credential && (await authenticate(credential, request, reply, options))
    if (credential && !authenticated) options.guessLimit.take(request.ip)
    if (!authenticated) takeFromAddress(request, reply, options.addressLimit)
    else accept(request, reply, authenticated)
    // An unknown path answers 404 without a credential: the list of routes is public.
    if (access === 'account' && !authenticated && !request.is404) throw unauthorized()
  })
}

async function authenticate(
  credential: Credential,
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticator, addressLimit, publicUrl }: AuthenticationOptions,
): Promise<Authenticated | undefined> {
  try {
    if (credential.kind === 'session' && isPossiblyCrossSite(request.method, request.headers, publicUrl)) {
      throw foreignPage(publicUrl)
    }
    return await authenticator.authenticate(credential)
  } catch (error) {
    takeFromAddress(request, reply, addressLimit)
    throw error
  }
}

function accept(request: FastifyRequest, reply: FastifyReply, { account, granted, reading }: Authenticated): void {
  setLimitHeaders(reply, reading)
  if (!granted) throw rateLimited(reading, 'requests')
  request.account = account
}

function takeFromAddress(request: FastifyRequest, reply: FastifyReply, limit: AddressLimit): void {
  const { granted, reading } = limit.take(request.ip)
  setLimitHeaders(reply, reading)
  if (!granted) throw rateLimited(reading, 'requests from this address')
}

const setLimitHeaders = (reply: FastifyReply, reading: Reading) => reply.headers(rateLimitHeaders(reading))
