import type { Db } from 'mongodb'
import type { Authenticated, Authenticator } from '../http/authentication.ts'
import { type RatePolicy, read, type Taken, take, takeExpression, takenBy } from '../http/rate-limit.ts'
import { type Batch, batched } from '../mongo/batched.ts'
import { UNJOURNALED } from '../mongo/connect.ts'
import { isDiskFull } from '../mongo/failures.ts'
import { apiKeysOf, sessionsOf } from './documents.ts'
import { hashOf, isPlausibleKey } from './key-format.ts'
import { LIVE_SESSION } from './sessions.ts'

type KeyPolicies = { free: RatePolicy; paid: RatePolicy }

type AuthenticatorOptions = KeyPolicies & {
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
 * Authenticates API keys. One write finds the key, takes from its token bucket and counts the use, all by the
 * database's clock. Nothing is cached, so revocation, limits and payment take effect on every replica with the next
 * request. Concurrent requests with the same key share one write, because the database serializes writes to one
 * document.
 * @param chosenKey the key from BOOTSTRAP_API_KEY, which needs no checksum.
 */
function createKeyAuthenticator(db: Db, policies: KeyPolicies, chosenKey?: string) {
  const keys = apiKeysOf(db)
  const policyOf = (name: keyof RatePolicy) => ({ $cond: ['$paid', policies.paid[name], policies.free[name]] })
  const policy = { rate: policyOf('rate'), burst: policyOf('burst') }
  const use = (requests: number) => [
    { $set: { bucket: takeExpression('$bucket', policy, { requests }) } },
    { $set: { usage_count: { $add: ['$usage_count', '$bucket.granted'] }, last_used_at: '$$NOW' } },
  ]
  const authenticate = batched(async (hash, { length: requests }): Promise<Batch<Authenticated | undefined>> => {
    const active = { hash, revoked_at: { $exists: false } }
    const projection = { user_id: 1, paid: 1, bucket: 1, limits: 1, paired: 1 }
    const document = await usedEvenOnFullDisk(
      () => keys.findOneAndUpdate(active, use(requests), { ...USED, projection }),
      () => keys.findOne(active, { projection }),
      ({ bucket, paid }) => take(bucket, paid ? policies.paid : policies.free, new Date(), requests),
    )
    if (!document?.bucket) return () => undefined
    const { _id: key_id, user_id, paid, bucket, limits, paired } = document
    const account = {
      user_id,
      key_id,
      source: 'api',
      paid,
      ...(limits && { limits }),
      ...(paired && { paired }),
    } as const
    return (nth) => {
      const { granted, state } = takenBy(nth, bucket)
      const reading = read(state, paid ? policies.paid : policies.free)
      return { account, granted, reading }
    }
  })
  return async (key: string): Promise<Authenticated | undefined> =>
    isPlausibleKey(key, chosenKey) ? authenticate(hashOf(key), undefined) : undefined
}

/**
 * Authenticates session cookies. One write finds the session, takes from its token bucket and extends its idle timeout.
 * Nothing is cached, so every replica rejects the next request of a session that was ended.
 */
function createSessionAuthenticator(db: Db, policy: RatePolicy) {
  const use = [{ $set: { bucket: takeExpression('$bucket', policy), last_used_at: '$$NOW' } }]
  return async (secret: string): Promise<Authenticated | undefined> => {
    const live = { hash: hashOf(secret), ...LIVE_SESSION }
    const projection = { user_id: 1, paid: 1, bucket: 1 }
    const session = await usedEvenOnFullDisk(
      () => sessionsOf(db).findOneAndUpdate(live, use, { ...USED, projection }),
      () => sessionsOf(db).findOne(live, { projection }),
      ({ bucket }) => take(bucket, policy, new Date()),
    )
    if (!session?.bucket) return undefined
    const { _id: session_id, user_id, paid, bucket } = session
    const account = { user_id, session_id, source: 'web', paid } as const
    return { account, granted: bucket.granted === 1, reading: read(bucket, policy) }
  }
}

const USED = { returnDocument: 'after', writeConcern: UNJOURNALED } as const

/**
 * Returns a key or session after a request used it. While the disk of the database is full, nobody can write that; then
 * it is read, and `taken` says what its bucket would be. So reads go on, and a write fails by itself.
 */
async function usedEvenOnFullDisk<Doc extends { bucket?: Taken }>(
  write: () => Promise<Doc | null>,
  read: () => Promise<Doc | null>,
  taken: (document: Doc) => Taken,
): Promise<Doc | undefined> {
  try {
    return (await write()) ?? undefined
  } catch (error) {
    if (!isDiskFull(error)) throw error
    const document = await read()
    return document ? { ...document, bucket: taken(document) } : undefined
  }
}
