import { reasonOf } from '@placefleet/shared/command-line'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { z } from 'zod'
import { hashOf } from '../../accounts/key-format.ts'
import { jsonResponse, noContent } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import { fromNow } from '../../mongo/time.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { BrowserSessions } from '../browser-session.ts'
import { flowsOf } from '../documents.ts'
import { SignInError, SignInFailure } from '../failure.ts'
import { CALLBACK, ReturnPath, signInPage } from '../paths.ts'
import type { Oidc } from './oidc.ts'
import type { Proof } from './provider.ts'

/** How long a sign-in at the provider may take. */
const FLOW_SECONDS = 600
const FLOW_END = fromNow(FLOW_SECONDS, 'second')

/** Returns the values that a new sign-in is checked against. */
const newProof = (): Proof => ({
  state: randomState(),
  nonce: randomNonce(),
  code_verifier: randomPKCECodeVerifier(),
})

/**
 * Records a pending sign-in of a browser. A browser may have several in its tabs.
 * @param browser the flow cookie: only the browser that has it can complete the sign-in.
 */
async function beginFlow(
  db: Db,
  { state, ...proof }: Proof,
  { browser, return_to }: { browser: string; return_to: string },
): Promise<void> {
  const flow = { ...proof, browser: hashOf(browser), return_to }
  const change = { $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: flow }, { expires_at: FLOW_END }] } }
  await flowsOf(db).updateOne({ _id: hashOf(state), kind: 'flow' }, [change], { upsert: true })
}

/** Completes a pending sign-in once. Returns undefined when it is completed, expired, or of another browser. */
async function takeFlow(
  db: Db,
  { state, browser }: { state: string; browser: string },
): Promise<(Proof & { return_to: string }) | undefined> {
  const flow = await flowsOf(db).findOneAndDelete({
    _id: hashOf(state),
    kind: 'flow',
    browser: hashOf(browser),
    $expr: { $gt: ['$expires_at', '$$NOW'] },
  })
  if (!flow) return undefined
  const { nonce, code_verifier, return_to } = flow
  return { state, nonce, code_verifier, return_to }
}

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
