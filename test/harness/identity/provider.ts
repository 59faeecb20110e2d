import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'
import { freePort } from '../network/free-port.ts'

export const CLIENT_ID = 'placefleet'
export const CLIENT_SECRET = 'a secret for tests'

/** The provider's claims about the person who signs in. */
export type Person = { sub: string; email?: string; email_verified?: boolean } & Record<string, unknown>

/** A real OpenID Connect provider on this machine. It signs every browser in as `person`, without questions. */
export type IdentityProvider = {
  issuer: string
  /** The person who signs in next. */
  person: Person
  /** Changes the claims of an ID token before the provider signs it, to imitate a dishonest provider. */
  forge: ((claims: JWTPayload) => JWTPayload) | undefined
  /** Answers the next sign-ins with this error. */
  refusal: string | undefined
  /** Signs a logout token, or anything else, with the provider's key. */
  sign(claims: JWTPayload): Promise<string>
  /** The authorization requests that it saw. */
  asked: URLSearchParams[]
  stop(): Promise<void>
  /** Starts again at the same address. */
  start(): Promise<void>
}

/** Starts a provider with one client. It is stopped after the test, or by `whenOver`. */
export async function startIdentityProvider(
  publicUrl: string,
  whenOver: (end: () => Promise<void>) => void = onTestFinished,
): Promise<IdentityProvider> {
  const server = createServer()
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }
  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test', typ: 'JWT' }).sign(privateKey)

  const running: IdentityProvider = {
    issuer,
    person: { sub: 'nobody' },
    forge: undefined,
    refusal: undefined,
    sign,
    asked: [],
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    async start() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
  const provider = createProvider(issuer, publicUrl, key, running)
  const answer = provider.callback()
  server.on('request', (request, response) => void respond(request, response))
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    if (pathname === '/auth') running.asked.push(searchParams)
    if (pathname.startsWith('/interaction/')) await signIn(provider, running, request, response)
    else await answer(request, response)
  }
  whenOver(async () => {
    if (server.listening) await running.stop()
  })
  return running
}

function createProvider(issuer: string, publicUrl: string, key: object, running: IdentityProvider): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${publicUrl}/auth/callback`],
        post_logout_redirect_uris: [`${publicUrl}/console/`],
        backchannel_logout_uri: `${publicUrl}/auth/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [key] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups', 'realm_access'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...running.person, sub }) }),
    cookies: { keys: ['for tests'] },
    fetch: (url, { dispatcher: _, ...options } = {}) => fetch(url, options), // its own refuses loopback addresses
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 }, // set to avoid a warning
  })
  provider.use(async (context, next) => {
    await next()
    const body: unknown = context.body
    if (context.path !== '/token' || running.forge === undefined || typeof body !== 'object' || body === null) return
    const id_token: unknown = Reflect.get(body, 'id_token')
    if (typeof id_token !== 'string') return
    context.body = { ...body, id_token: await running.sign(running.forge(decodeJwt(id_token))) }
  })
  return provider
}

/** Signs the browser in as the current person, and gives every consent. */
async function signIn(
  provider: Provider,
  { person, refusal }: IdentityProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (refusal !== undefined) return provider.interactionFinished(request, response, { error: refusal })
  const { params, prompt, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: person.sub } })
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? person.sub, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}
