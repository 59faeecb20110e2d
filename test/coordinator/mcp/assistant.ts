import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'

/** Returns what an assistant remembers, and the address to which it last sent its person. */
export function assistant(redirect: string) {
  const memory: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier: string; visited?: URL } = {
    verifier: '',
  }
  const provider: OAuthClientProvider = {
    redirectUrl: redirect,
    clientMetadata: { client_name: 'Ada’s assistant', redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
    state: () => 'a state & more',
    clientInformation: () => memory.client,
    saveClientInformation(client) {
      memory.client = client
    },
    tokens: () => memory.tokens,
    saveTokens(tokens) {
      memory.tokens = tokens
    },
    redirectToAuthorization(address) {
      memory.visited = address
    },
    saveCodeVerifier(verifier) {
      memory.verifier = verifier
    },
    codeVerifier: () => memory.verifier,
  }
  return { memory, provider }
}
