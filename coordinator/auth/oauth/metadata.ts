import type { FastifyRequest } from 'fastify'

/** The paths of the authorization server. */
export const OAUTH = {
  register: '/auth/oauth/register',
  authorize: '/auth/oauth/authorize',
  return: '/auth/oauth/return',
  token: '/auth/oauth/token',
} as const

/** Where clients learn how to sign in. */
export const METADATA = {
  resource: '/.well-known/oauth-protected-resource',
  mcp: '/.well-known/oauth-protected-resource/mcp',
  server: '/.well-known/oauth-authorization-server',
} as const

/** What a client calls itself; a person visits the others. */
export const FOR_CLIENTS: readonly string[] = [...Object.values(METADATA), OAUTH.register, OAUTH.token]

/** Returns the origin of the service as its users see it. */
export const originOf = (
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | undefined,
) => publicUrl ?? `${protocol}://${host}`

/** Returns the metadata of `/mcp` (RFC 9728). */
export const protectedResource = (origin: string) => ({
  resource: `${origin}/mcp`,
  authorization_servers: [origin],
  bearer_methods_supported: ['header'],
  resource_name: 'Placefleet',
})

/** Returns the metadata of the authorization server (RFC 8414). */
export const serverMetadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}${OAUTH.authorize}`,
  token_endpoint: `${origin}${OAUTH.token}`,
  registration_endpoint: `${origin}${OAUTH.register}`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
})

/** Returns the header of a 401 of `/mcp`, which tells clients where to sign in. */
export const challengeOf = (origin: string): string => `Bearer resource_metadata="${origin}${METADATA.mcp}"`
