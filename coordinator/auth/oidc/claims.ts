import { z } from 'zod'
import { SignInError } from '../failure.ts'

/** Some providers write booleans as text. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

const Claims = z.looseObject({
  iss: z.string(),
  sub: z.string().min(1),
  sid: z.string().optional(),
  email: z.email().toLowerCase().optional().catch(undefined),
  email_verified: flag.optional().catch(undefined),
})

/** The claims of the provider about a person. */
export type Claims = z.infer<typeof Claims>

/** @throws SignInError `id_token_invalid` when the claims do not identify a person. */
export function parseClaims(claims: Record<string, unknown>): Claims {
  const parsed = Claims.safeParse(claims)
  if (parsed.success) return parsed.data
  throw new SignInError('id_token_invalid', `The claims cannot be read: ${parsed.error.message}`)
}

/**
 * Returns the claims of the signed ID token, and those that only the userinfo has. The email and whether it is verified
 * come from one document, because the other may speak of another email. It is the userinfo when the ID token has no
 * email, or has the same one and does not say whether it is verified.
 */
export function mergedClaims(id_token: Record<string, unknown>, userinfo: Record<string, unknown>) {
  const isSilent = id_token.email_verified === undefined && id_token.email === userinfo.email
  const { email, email_verified } = id_token.email === undefined || isSilent ? userinfo : id_token
  return { ...userinfo, ...id_token, email, email_verified }
}

/**
 * Returns whether a claim has one of the values. It may be a text or a list; a dot in its name leads into an object.
 */
export function hasClaim(claims: Record<string, unknown>, name: string, values: readonly string[]): boolean {
  const claim = name in claims ? claims[name] : name.split('.').reduce(member, claims)
  return [claim].flat().some((value) => typeof value === 'string' && values.includes(value))
}

const member = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined
