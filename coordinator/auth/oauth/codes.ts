import { createHash } from 'node:crypto'
import type { Db } from 'mongodb'
import { isSameSecret } from '../../secrets/secret-box.ts'
import { findDecidedLogin, takeApprovedLogin } from '../device/logins.ts'
import type { DeviceLoginDocument } from '../documents.ts'
import type { Signer } from './clients.ts'

const PURPOSE = 'oauth code'

/**
 * Returns the authorization code of a login. It follows from the login, so the decision of the person is the only
 * write, and nobody knows it without the secret of the service.
 */
const codeOf = (signer: Signer, { _id, user_code }: DeviceLoginDocument): string =>
  `${user_code}.${signer.signature(PURPOSE, _id)}`

/**
 * Returns where the browser of a person goes after the decision: back to the client, with a code or with the refusal.
 * Undefined when this person did not decide, or no client waits.
 */
export async function returnAddress(
  { db, signer, issuer }: { db: Db; signer: Signer; issuer: string },
  user_id: string,
  user_code: string,
): Promise<URL | undefined> {
  const login = await findDecidedLogin(db, user_code)
  if (!login?.authorization || login.decision?.user_id !== user_id) return undefined
  const { redirect_uri, state } = login.authorization
  const outcome = login.decision.approved ? { code: codeOf(signer, login) } : { error: 'access_denied' }
  return withParameters(redirect_uri, { ...outcome, state, iss: issuer })
}

/** Returns an address with more parameters, without the undefined ones. */
export function withParameters(address: string, parameters: Record<string, string | undefined>): URL {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}

/** What a client sends for a code. */
type Redeeming = { code: string; client_id: string; redirect_uri: string; code_verifier: string }

/**
 * Uses up an authorization code. Undefined when it is wrong, used or expired, or belongs to another client or verifier.
 */
export async function redeemCode(
  { db, signer }: { db: Db; signer: Signer },
  { code, client_id, redirect_uri, code_verifier }: Redeeming,
): Promise<DeviceLoginDocument | undefined> {
  const [user_code = ''] = code.split('.')
  const login = await findDecidedLogin(db, user_code)
  if (!login?.authorization || !isSameSecret(code, codeOf(signer, login))) return undefined
  const { authorization } = login
  if (authorization.client_id !== client_id || authorization.redirect_uri !== redirect_uri) return undefined
  const challenge = createHash('sha256').update(code_verifier).digest('base64url')
  return isSameSecret(challenge, authorization.code_challenge) ? takeApprovedLogin(db, login._id) : undefined
}
