import type { Db } from 'mongodb'
import type { Authenticated, Authenticator } from '../http/account.ts'
import { type RatePolicy, read, takenBy } from '../http/rate-limit/bucket.ts'
import { takeExpression } from '../http/rate-limit/bucket-expression.ts'
import { UNJOURNALED } from '../mongo/connect.ts'
import { type Batch, batched } from './batched.ts'
import { apiKeysOf } from './documents.ts'
import { hashOf, isPlausibleKey } from './key-format.ts'
import { createSessionAuthenticator } from './session-authentication.ts'

export type KeyPolicies = { free: RatePolicy; paid: RatePolicy }

export type AuthenticatorOptions = KeyPolicies & {
  session: RatePolicy
  /** The key from BOOTSTRAP_API_KEY, if set. */
  bootstrapKey?: string | undefined
}

/** Authenticates API keys and session cookies. */
export function createAuthenticator(
  db: Db,
  { session, bootstrapKey, ...policies }: AuthenticatorOptions,
): Authenticator {
  const authenticateKey = createKeyAuthenticator(db, policies, bootstrapKey)
  const authenticateSession = createSessionAuthenticator(db, session)
  return {
    authenticate: ({ kind, secret }) => (kind === 'key' ? authenticateKey(secret) : authenticateSession(secret)),
  }
}

/**
 * Authenticates API keys. One write finds the key, takes from its token bucket and counts the use, all by the database's
 * clock. Nothing is cached, so revocation, limits and payment take effect on every replica with the next request.
 * Requests with the same key that arrive together share one write, because writes to one document run one by one anyway.
 * @param chosenKey the key from BOOTSTRAP_API_KEY, which needs no checksum.
 */
export function createKeyAuthenticator(db: Db, policies: KeyPolicies, chosenKey?: string) {
  const keys = apiKeysOf(db)
  const policyOf = (name: keyof RatePolicy) => ({ $cond: ['$paid', policies.paid[name], policies.free[name]] })
  const policy = { rate: policyOf('rate'), burst: policyOf('burst') }
  const use = (requests: number) => [
    { $set: { bucket: takeExpression('$bucket', policy, { requests }) } },
    { $set: { usage_count: { $add: ['$usage_count', '$bucket.granted'] }, last_used_at: '$$NOW' } },
  ]
  const authenticate = batched(async (hash, requests): Promise<Batch<Authenticated | undefined>> => {
    const document = await keys.findOneAndUpdate({ hash, revoked_at: { $exists: false } }, use(requests), {
      returnDocument: 'after',
      projection: { user_id: 1, paid: 1, bucket: 1 },
      writeConcern: UNJOURNALED,
    })
    if (!document?.bucket) return () => undefined
    const { _id: key_id, user_id, paid, bucket } = document
    return (nth) => {
      const { granted, state } = takenBy(nth, bucket)
      const reading = read(state, paid ? policies.paid : policies.free)
      return { account: { user_id, key_id, source: 'api', paid }, granted, reading }
    }
  })
  return async (key: string): Promise<Authenticated | undefined> =>
    isPlausibleKey(key, chosenKey) ? authenticate(hashOf(key)) : undefined
}
