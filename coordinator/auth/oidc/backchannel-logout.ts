import type { FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { hashOf } from '../../accounts/key-format.ts'
import { endProviderSessions } from '../../accounts/sessions.ts'
import { AppError } from '../../http/errors.ts'
import { noContent } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { fromNow } from '../../mongo/time.ts'
import { usedLogoutTokensOf } from '../documents.ts'
import type { LogoutToken } from './logout-token.ts'
import type { Oidc } from './oidc.ts'

/** How long used tokens are remembered: longer than a logout token is valid. */
const REMEMBERED_SECONDS = 300

type BackchannelLogoutDeps = { db: Db; oidc: Pick<Oidc, 'verifyLogoutToken'> }

/**
 * `POST /auth/backchannel-logout`: the identity provider ends sessions of a person who signed out elsewhere (OpenID
 * Connect Back-Channel Logout 1.0). Responds 200 when they have ended, 400 for an invalid token.
 */
export async function backchannelLogoutRoute(app: Server, { db, oidc }: BackchannelLogoutDeps): Promise<void> {
  // Providers send a form. This parser applies to this route only.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )
  const body = z.object({ logout_token: z.string().min(1) })
  const schema = { hide: true, body, response: { 200: noContent('The sessions have ended') } }
  app.post('/auth/backchannel-logout', { config: { access: 'anyone' }, schema }, async (request, reply) => {
    const token = await oidc.verifyLogoutToken(request.body.logout_token)
    await mustBeUnused(db, token)
    const ended = await endProviderSessions(db, token)
    await useUp(db, token) // last: after a crash the provider sends the token again
    request.log.info({ ended }, 'the identity provider ended sessions')
    return reply.code(200).send()
  })
}

const used = ({ issuer, jti }: LogoutToken) => ({ _id: hashOf(`${issuer} ${jti}`), kind: 'logout' }) as const

/** @throws AppError `bad_request` when the token was used before. */
async function mustBeUnused(db: Db, token: LogoutToken): Promise<void> {
  if (await usedLogoutTokensOf(db).findOne(used(token))) {
    throw new AppError('bad_request', 'The logout token was used before.')
  }
}

async function useUp(db: Db, token: LogoutToken): Promise<void> {
  const times = [{ $set: { expires_at: { $ifNull: ['$expires_at', fromNow(REMEMBERED_SECONDS, 'second')] } } }]
  await usedLogoutTokensOf(db).updateOne(used(token), times, { upsert: true })
}
