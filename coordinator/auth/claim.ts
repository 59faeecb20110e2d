import type { Db } from 'mongodb'
import { z } from 'zod'
import { bootstrap } from '../accounts/bootstrap.ts'
import { hashOf } from '../accounts/key-format.ts'
import { addressOf } from '../http/addresses.ts'
import { rejectForeignPage } from '../http/authentication.ts'
import { AppError } from '../http/errors.ts'
import { createAddressLimit, rateLimited } from '../http/rate-limit.ts'
import { errorResponses, noContent } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { deploymentOf } from '../mongo/connect.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { isSameSecret } from '../secrets/secret-box.ts'
import type { BrowserSessions } from './browser-session.ts'

/** The first operator of an installation without a shell, and the token that signs them in once. */
export type FirstOperator = { email: string; token: string }

/** Attempts of one address: five, then one every ten seconds. */
const ATTEMPTS = { rate: 0.1, burst: 5 }

const ClaimRequest = z.strictObject({ token: z.string().min(1).max(500).describe('the value of ADMIN_TOKEN') }).meta({
  id: 'ClaimRequest',
  description: 'The token of the first operator.',
  examples: [{ token: '3f0e5b7d9c119d3a4c527c1b4f6ea8a1' }],
})

type ClaimRouteDeps = {
  db: Db
  browser: BrowserSessions
  publicUrl: string | undefined
  /** Undefined: ADMIN_TOKEN is not set. */
  firstOperator: FirstOperator | undefined
  /** Called after a sign-in and before the response. Must not throw. */
  onLinkUsed(user_id: string): Promise<void>
}

/** `POST /auth/claim`: signs the first operator in with ADMIN_TOKEN, once. */
export async function claimRoute(
  app: Server,
  { db, browser, publicUrl, firstOperator, onLinkUsed }: ClaimRouteDeps,
): Promise<void> {
  const attempts = createAddressLimit(ATTEMPTS)
  const response = {
    204: noContent('Signed in. The response sets the session cookie'),
    ...errorResponses(404),
  }
  const schema = {
    tags: ['signing in'],
    operationId: 'claimDeployment',
    summary: 'Sign in as the first operator with ADMIN_TOKEN',
    description:
      'Works once, for installations without a shell. The user with the email ADMIN_EMAIL becomes an operator.',
    security: [],
    body: ClaimRequest,
    response,
  }
  app.post('/auth/claim', { config: { access: 'anyone' }, schema }, async (request, reply) => {
    rejectForeignPage(request.headers, publicUrl) // as for a one-time link
    if (!firstOperator) {
      throw new AppError('not_found', 'ADMIN_TOKEN is not set here. Sign in with a one-time link.')
    }
    const { granted, reading } = attempts.take(addressOf(request))
    if (!granted) throw rateLimited(reading, 'attempts from this address')
    if (!isSame(request.body.token, firstOperator.token)) throw wrongToken()
    const { user_id } = await bootstrap(db, { email: firstOperator.email })
    if (!(await useUp(db, firstOperator.token))) throw wrongToken()
    await browser.begin(request, reply, user_id, { signed_in_by: 'link' })
    await onLinkUsed(user_id)
    return reply.code(204).send()
  })
}

const wrongToken = (): AppError => {
  const message =
    'The token is wrong or was used. Set another ADMIN_TOKEN and restart, or sign in with a one-time link.'
  return new AppError('sign_in_link_invalid', message)
}

/** Compares digests, which have the same length, whatever was sent. */
const isSame = (candidate: string, token: string): boolean => isSameSecret(hashOf(candidate), hashOf(token))

/** The SHA-256 of each ADMIN_TOKEN that signed the first operator in. */
export const usedTokensOf = deploymentOf<{ _id: 'admin_token'; used: string[] }>

/** Notes that a token was used. Returns false when it was before; of concurrent calls one gets true. */
async function useUp(db: Db, token: string): Promise<boolean> {
  const hash = hashOf(token)
  const unused = { _id: 'admin_token' as const, used: { $ne: hash } }
  try {
    await usedTokensOf(db).updateOne(unused, { $push: { used: hash } }, { upsert: true })
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false // the document is there, with this token
    throw error
  }
}
