import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { addressOf } from '../../http/addresses.ts'
import { accountOf, sessionIdOf } from '../../http/authentication.ts'
import { AppError } from '../../http/errors.ts'
import type { Server } from '../../http/typed-server.ts'
import { beginDeviceLogin, keyFor } from '../device/logins.ts'
import { UserCodeParams } from '../device/schema.ts'
import { HOME } from '../paths.ts'
import { ClientRegistration, clientIdOf, clientOf, type Signer } from './clients.ts'
import { redeemCode, returnAddress, withParameters } from './codes.ts'
import { METADATA, OAUTH, originOf, protectedResource, serverMetadata } from './metadata.ts'

type OAuthRoutesDeps = { db: Db; publicUrl: string | undefined; secrets: Signer }

const FOR_PROGRAMS = { config: { access: 'anyone' as const } }

/**
 * Lets assistants in that run elsewhere: OAuth 2.1 as the Model Context Protocol asks for it. A client registers
 * itself, a person who is signed in to the console approves it there, and the client gets an API key of that person, as
 * a program with a pairing code does.
 */
export async function oauthRoutes(app: Server, deps: OAuthRoutesDeps): Promise<void> {
  metadataRoutes(app, deps)
  registerRoute(app, deps)
  authorizeRoute(app, deps)
  returnRoute(app, deps)
  await app.register(tokenRoute, deps)
}

function metadataRoutes(app: Server, { publicUrl }: OAuthRoutesDeps): void {
  const hidden = { ...FOR_PROGRAMS, schema: { hide: true } }
  const resource = async (request: FastifyRequest) => protectedResource(originOf(request, publicUrl))
  app.get(METADATA.resource, hidden, resource)
  app.get(METADATA.mcp, hidden, resource)
  app.get(METADATA.server, hidden, async (request) => serverMetadata(originOf(request, publicUrl)))
}

function registerRoute(app: Server, { secrets }: OAuthRoutesDeps): void {
  const schema = { hide: true, body: ClientRegistration }
  app.post(OAUTH.register, { ...FOR_PROGRAMS, schema }, async (request, reply) => {
    const client_id = clientIdOf(secrets, request.body)
    const methods = {
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
    return uncached(reply)
      .code(201)
      .send({ client_id, ...request.body, ...methods })
  })
}

/** Who asks, and where the answer goes. A fault here is shown to the person: the address may be anyone's. */
const AuthorizedClient = z.looseObject({ client_id: z.string().max(8_000), redirect_uri: z.string().max(500) })

/** The rest of an authorization request. A fault here is told to the client. */
const Authorization = z.object({
  response_type: z.literal('code'),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal('S256'),
  state: z.string().max(1_000).optional(),
})

function authorizeRoute(app: Server, { db, publicUrl, secrets }: OAuthRoutesDeps): void {
  const schema = { hide: true, querystring: AuthorizedClient }
  app.get(OAUTH.authorize, { ...FOR_PROGRAMS, schema }, async (request, reply) => {
    const { client_id, redirect_uri, ...rest } = request.query
    const client = clientOf(secrets, client_id)
    if (!client?.redirect_uris.includes(redirect_uri)) {
      throw new AppError('bad_request', 'This program is not registered with this redirect_uri. Connect it anew.')
    }
    const asked = Authorization.safeParse(rest)
    const iss = originOf(request, publicUrl)
    if (!asked.success) {
      const state = typeof rest.state === 'string' ? rest.state : undefined
      return reply.redirect(withParameters(redirect_uri, { error: 'invalid_request', state, iss }).href)
    }
    const { code_challenge, state } = asked.data
    const { user_code } = await beginDeviceLogin(db, {
      client_name: client.client_name,
      client_address: addressOf(request),
      authorization: { client_id, redirect_uri, code_challenge, ...(state !== undefined && { state }) },
    })
    return reply.redirect(`${HOME}connect?code=${user_code}`)
  })
}

function returnRoute(app: Server, { db, publicUrl, secrets: signer }: OAuthRoutesDeps): void {
  const schema = { hide: true, querystring: UserCodeParams }
  app.get(OAUTH.return, { schema }, async (request, reply) => {
    sessionIdOf(request)
    const issuer = originOf(request, publicUrl)
    const address = await returnAddress({ db, signer, issuer }, accountOf(request).user_id, request.query.user_code)
    if (!address) throw new AppError('not_found', 'No program waits for this answer. Connect it anew.')
    return uncached(reply).redirect(address.href)
  })
}

const TokenRequest = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string().max(200),
  client_id: z.string().max(8_000),
  redirect_uri: z.string().max(500),
  code_verifier: z.string().min(43).max(128),
})

/** `POST /auth/oauth/token`: exchanges an authorization code for an API key. */
async function tokenRoute(app: Server, { db, secrets: signer }: OAuthRoutesDeps): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )
  app.post(OAUTH.token, { ...FOR_PROGRAMS, schema: { hide: true, body: TokenRequest } }, async (request, reply) => {
    const login = await redeemCode({ db, signer }, request.body)
    if (!login?.decision) {
      throw new AppError('invalid_grant', 'The authorization code is wrong, used or expired. Connect the program anew.')
    }
    const access_token = await keyFor(db, { user_id: login.decision.user_id, login })
    return uncached(reply).send({ access_token, token_type: 'Bearer' })
  })
}

const uncached = (reply: FastifyReply) => reply.header('cache-control', 'no-store')
