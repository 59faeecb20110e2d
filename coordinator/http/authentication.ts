import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Access, type Admission, unauthorized } from './account.ts'
import { type Credential, credentialOf } from './credentials.ts'
import { AppError } from './errors.ts'
import type { AddressLimit } from './rate-limit/address-limit.ts'
import type { Reading } from './rate-limit/bucket.ts'
import { rateLimitHeaders } from './rate-limit/headers.ts'
import { rateLimited } from './rate-limit/refusal.ts'
import { maybeCrossSite } from './same-origin.ts'
import type { Server } from './typed-server.ts'

export type AdmissionOptions = { access: Access; addressLimit: AddressLimit; publicUrl: string | undefined }

/**
 * Decides over every request before anything of it is read: who it is, whether the rate limit lets it pass, and whether
 * its route may be called without an account. From here on the response carries the headers of the limit, whatever
 * it will be.
 */
export function decideAdmission(app: Server, options: AdmissionOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    const { access = 'account' } = request.routeOptions.config
    if (access === 'unlimited') return
    const credential = access === 'account' ? credentialOf(request.headers) : undefined
    const admission = credential && (await admit(credential, request, reply, options))
    if (!admission) takeFromAddress(request, reply, options.addressLimit)
    else pass(request, reply, admission)
    // What is unknown is told to anybody: the list of routes is public.
    if (access === 'account' && !admission && !request.is404) throw unauthorized()
  })
}

async function admit(
  credential: Credential,
  request: FastifyRequest,
  reply: FastifyReply,
  { access, addressLimit, publicUrl }: AdmissionOptions,
): Promise<Admission | undefined> {
  try {
    if (credential.kind === 'session' && maybeCrossSite(request.method, request.headers, publicUrl)) {
      throw new AppError('forbidden', 'A call with a session cookie must come from a page of this site.')
    }
    return await access.admit(credential)
  } catch (error) {
    takeFromAddress(request, reply, addressLimit)
    throw error
  }
}

function pass(request: FastifyRequest, reply: FastifyReply, { account, granted, reading }: Admission): void {
  answerWith(reply, reading)
  if (!granted) throw rateLimited(reading, 'requests')
  request.account = account
}

function takeFromAddress(request: FastifyRequest, reply: FastifyReply, limit: AddressLimit): void {
  const { granted, reading } = limit.take(request.ip)
  answerWith(reply, reading)
  if (!granted) throw rateLimited(reading, 'requests from this address')
}

const answerWith = (reply: FastifyReply, reading: Reading) => reply.headers(rateLimitHeaders(reading))
