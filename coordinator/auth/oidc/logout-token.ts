import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import type { ServerMetadata } from 'openid-client'
import { z } from 'zod'
import { AppError } from '../../http/errors.ts'

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** The maximum age of a token. It limits how long its `jti` must be remembered. */
const MAX_AGE_SECONDS = 120

/** The tolerated difference between the clocks of the provider and the coordinator. */
const CLOCK_TOLERANCE_SECONDS = 30

const Payload = z
  .object({
    iss: z.string(),
    jti: z.string().min(1),
    sub: z.string().optional(),
    sid: z.string().optional(),
    events: z.looseObject({ [LOGOUT_EVENT]: z.looseObject({}) }),
    nonce: z.undefined('must be absent: this is not a token for a sign-in').optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, 'names neither sub nor sid')

/** The sessions to end. A `jti` is accepted once. */
export type LogoutToken = { issuer: string; jti: string; subject: string | undefined; sid: string | undefined }

/** Verifies logout tokens of a provider for a client: signature, issuer, audience, age and form. */
export function createLogoutTokens(metadata: () => Promise<ServerMetadata>, audience: string) {
  let keys: { uri: string; set: ReturnType<typeof createRemoteJWKSet> } | undefined
  const keysAt = (uri: string) => {
    if (keys?.uri !== uri) keys = { uri, set: createRemoteJWKSet(new URL(uri)) }
    return keys.set
  }
  /** @throws AppError `bad_request` for an invalid token, `unavailable` when it cannot be verified now. */
  return async (token: string): Promise<LogoutToken> => {
    const { issuer, jwks_uri } = await metadata()
    if (jwks_uri === undefined) throw refused('the provider publishes no keys')
    const rules = { issuer, audience, maxTokenAge: MAX_AGE_SECONDS, clockTolerance: CLOCK_TOLERANCE_SECONDS }
    const { payload } = await jwtVerify(token, keysAt(jwks_uri), rules).catch((cause: unknown) => {
      if (cause instanceof errors.JOSEError && !(cause instanceof errors.JWKSTimeout))
        throw refused(cause.message, cause)
      throw new AppError('unavailable', 'The keys of the identity provider cannot be read. Send the token again.', {
        cause,
      })
    })
    return parsed(payload)
  }
}

function parsed(payload: JWTPayload): LogoutToken {
  const read = Payload.safeParse(payload)
  if (!read.success)
    throw refused(read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '))
  const { iss: issuer, jti, sub: subject, sid } = read.data
  return { issuer, jti, subject, sid }
}

const refused = (why: string, cause?: unknown) =>
  new AppError('bad_request', `The logout token is refused: ${why}.`, { cause })
