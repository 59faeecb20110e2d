import type { Db } from 'mongodb'
import type { Admission } from '../http/account.ts'
import { type RatePolicy, read, takenBy } from '../http/rate-limit/bucket.ts'
import { takeExpression } from '../http/rate-limit/bucket-expression.ts'
import { batched, type Decided } from './batched.ts'
import { apiKeysOf } from './documents.ts'
import { hashOf, isPlausibleKey } from './key-format.ts'

export type KeyPolicies = { free: RatePolicy; paid: RatePolicy }

/** Losing the last of these in a crash grants a few requests more, and costs a third of the time. */
export const UNJOURNALED = { w: 1, j: false } as const

/**
 * Decides over API keys. One write finds the key, takes from its bucket, and counts the uses, with the database's clock:
 * nothing is remembered here, so revocation, limits and payment hold from the next request on over all replicas. Requests
 * with the same key that wait for each other share a write, since those of one document come one after the other anyway.
 * @param chosenKey the key the operator chose, which may look like a generated one without its checksum.
 */
export function createKeyAdmission(db: Db, policies: KeyPolicies, chosenKey?: string) {
  const keys = apiKeysOf(db)
  const policyOf = (name: keyof RatePolicy) => ({ $cond: ['$paid', policies.paid[name], policies.free[name]] })
  const policy = { rate: policyOf('rate'), burst: policyOf('burst') }
  const use = (requests: number) => [
    { $set: { bucket: takeExpression('$bucket', policy, { requests }) } },
    { $set: { usage_count: { $add: ['$usage_count', '$bucket.granted'] }, last_used_at: '$$NOW' } },
  ]
  const admit = batched(async (hash, requests): Promise<Decided<Admission | undefined>> => {
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
  return async (key: string): Promise<Admission | undefined> =>
    isPlausibleKey(key, chosenKey) ? admit(hashOf(key)) : undefined
}
