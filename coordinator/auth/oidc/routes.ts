import { reasonOf } from '@placefleet/shared/command-line'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { jsonResponse, noContent } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { BrowserSessions } from '../browser-session.ts'
import { SignInError, SignInFailure } from '../failure.ts'
import { CALLBACK, ReturnPath, signInPage } from '../paths.ts'
import { beginFlow, FLOW_SECONDS, newProof, takeFlow } from './flows.ts'
import type { Oidc } from './oidc.ts'

const LOGIN = '/auth/login'

const Providers = z
  .object({
    providers: z.array(
      z.object({
        name: z.string().describe('the text of the link to the provider'),
        login_path: z
          .string()
          .describe('the path that starts a sign-in; accepts `?return_to=` with a path of this site'),
        failure: SignInFailure.optional().describe('why sign-in through the provider does not work now'),
      }),
    ),
  })
  .meta({
    id: 'SignInProviders',
    description: 'The identity provider, if one is configured. One-time links always work.',
    examples: [{ providers: [{ name: 'Keycloak', login_path: LOGIN }] }],
  })

type OidcRoutesDeps = { db: Db; browser: BrowserSessions; oidc: Oidc; secrets: SecretBox }

/** Registers the routes of sign-in through an identity provider: code flow with PKCE, state and nonce. */
export async function oidcRoutes(app: Server, deps: OidcRoutesDeps): Promise<void> {
  const { db, browser, oidc } = deps
  const open = { tags: ['signing in'], security: [] }
  const listed = { 200: jsonResponse(Providers, 'The identity providers') }
  const list = { ...open, operationId: 'listSignInProviders', summary: 'List the identity providers', response: listed }
  app.get('/auth/providers', { config: { access: 'anyone' }, schema: list }, async () => {
    if (oidc.name === undefined) return { providers: [] }
    const failure = await oidc.failure()
    return { providers: [{ name: oidc.name, login_path: LOGIN, ...(failure ? { failure } : {}) }] }
  })

  const login = {
    hide: true,
    querystring: z.strictObject({ return_to: ReturnPath }),
    response: {
      302: noContent('Redirects to the provider, or to the sign-in page with `error`'),
    },
  }
  app.get(LOGIN, { config: { access: 'anyone' }, schema: login }, async (request, reply) => {
    const proof = newProof()
    const url = await oidc.authorizationUrl(proof).catch(toSignInPage(request))
    if (typeof url === 'string') return reply.redirect(url)
    const secret = browser.flowSecret(request, reply, FLOW_SECONDS)
    await beginFlow(db, proof, { browser: secret, return_to: request.query.return_to })
    return reply.redirect(url.href)
  })

  const callback = {
    hide: true,
    response: {
      302: noContent('Redirects to `return_to`, or to the sign-in page with `error`'),
    },
  }
  app.get(CALLBACK, { config: { access: 'anyone' }, schema: callback }, async (request, reply) => {
    const target = await signIn(deps, request, reply).catch(toSignInPage(request))
    return reply.redirect(target)
  })
}

/** Ends the flow of a browser that returns from the provider, and starts a session. Returns the path to redirect to. */
async function signIn(
  { db, browser, oidc, secrets }: OidcRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const query = new URLSearchParams(request.url.split('?', 2)[1])
  const secret = browser.flowSecretOf(request)
  if (secret === undefined) throw new SignInError('cookie_missing', 'The browser sent no flow cookie.')
  const flow = await takeFlow(db, { state: query.get('state') ?? '', browser: secret })
  if (!flow) throw new SignInError('flow_expired', 'This browser has no pending sign-in with this state.')
  const { claims, id_token } = await oidc.exchange(query, flow)
  const { _id: user_id } = await oidc.userOf(claims)
  const { iss: issuer, sub: subject, sid } = claims
  const provider = { issuer, subject, ...(sid === undefined ? {} : { sid }), id_token: secrets.seal(id_token) }
  await browser.begin(request, reply, user_id, { signed_in_by: 'oidc', provider })
  return flow.return_to
}

/**
 * Turns a failed sign-in into the address of the sign-in page. Logs only texts, because errors of the library contain
 * tokens.
 */
function toSignInPage({ log }: FastifyRequest) {
  return (error: unknown): string => {
    if (!(error instanceof SignInError)) throw error
    const cause = error.cause === undefined ? {} : { cause: reasonOf(error.cause) }
    log.warn({ code: error.code, reason: error.message, ...cause }, 'a sign-in failed')
    return signInPage(error.code)
  }
}
