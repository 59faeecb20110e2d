import type { Logger } from '@placefleet/shared/log'
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { SignInError, type SignInFailure } from '../failure.ts'
import { CALLBACK, HOME } from '../paths.ts'
import { type Claims, mergedClaims, parseClaims } from './claims.ts'
import { createDiscovery } from './discovery.ts'
import { createLogoutTokens, type LogoutToken } from './logout-token.ts'
import type { OidcSettings } from './settings.ts'

/** The values that tie a response of the provider to the request of one browser. */
export type Proof = { state: string; nonce: string; code_verifier: string }

/** An identity provider. Failures of the provider or of its responses throw a SignInError. */
export type Provider = {
  /** The name on the sign-in page; undefined when no provider is configured. */
  name: string | undefined
  /** Why sign-in does not work now; undefined when it works. */
  failure(): Promise<SignInFailure | undefined>
  authorizationUrl(proof: Proof): Promise<URL>
  /** Verifies the redirect of the provider, and returns the person who signed in. */
  exchange(query: URLSearchParams, proof: Proof): Promise<{ claims: Claims; id_token: string }>
  /** Returns the URL at which a browser signs out; undefined when the provider has none. */
  endSessionUrl(id_token: string): Promise<URL | undefined>
  /** Verifies a logout token, and returns the sessions that it ends. */
  verifyLogoutToken(token: string): Promise<LogoutToken>
}

/**
 * Creates the identity provider of the settings. Redirect URLs are built from PUBLIC_URL only, because proxies may change
 * the host and protocol of a request.
 */
export function createProvider(settings: OidcSettings, publicUrl: string, log: Logger): Provider {
  const discovery = createDiscovery(settings, log)
  const redirect_uri = `${publicUrl}${CALLBACK}`
  return {
    name: settings.name,
    failure: () => discovery.fresh().then(() => undefined, failureCode),
    async authorizationUrl({ state, nonce, code_verifier }) {
      return buildAuthorizationUrl(await discovery.fresh(), {
        redirect_uri,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      })
    },
    async exchange(query, proof) {
      const callback = new URL(redirect_uri)
      callback.search = query.toString()
      return exchange(await discovery.known(), callback, proof)
    },
    async endSessionUrl(id_token) {
      const configuration = await discovery.known()
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
      return buildEndSessionUrl(configuration, {
        id_token_hint: id_token,
        post_logout_redirect_uri: `${publicUrl}${HOME}`,
      })
    },
    verifyLogoutToken: createLogoutTokens(async () => (await discovery.known()).serverMetadata(), settings.clientId),
  }
}

async function exchange(configuration: Configuration, callback: URL, { state, nonce, code_verifier }: Proof) {
  try {
    const tokens = await authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: code_verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const { claims, id_token } = { claims: tokens.claims(), id_token: tokens.id_token }
    if (claims === undefined || id_token === undefined) throw new Error('the provider gave no ID token')
    // Many providers return the email and groups only here.
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
    return { claims: parseClaims(mergedClaims(claims, more)), id_token }
  } catch (cause) {
    throw exchangeFailure(cause)
  }
}

function exchangeFailure(cause: unknown): SignInError {
  if (cause instanceof SignInError) return cause
  if (cause instanceof AuthorizationResponseError) {
    const code = cause.error === 'access_denied' ? 'access_denied' : 'provider_refused'
    return new SignInError(code, `The provider answered ${cause.error}.`, { cause })
  }
  if (cause instanceof ResponseBodyError || cause instanceof WWWAuthenticateChallengeError) {
    return new SignInError('provider_refused', 'The provider refused the code or our client id and secret.', { cause })
  }
  const unavailable = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']
  const judged = cause instanceof ClientError && !unavailable.includes(cause.code ?? '')
  if (judged) return new SignInError('id_token_invalid', `The answer cannot be trusted: ${cause.message}`, { cause })
  return new SignInError('provider_unavailable', 'The provider stopped answering during a sign-in.', { cause })
}

function failureCode(error: unknown): SignInFailure {
  if (error instanceof SignInError) return error.code
  throw error
}
