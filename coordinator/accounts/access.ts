import type { Db } from 'mongodb'
import type { Access } from '../http/account.ts'
import type { RatePolicy } from '../http/rate-limit/bucket.ts'
import { createKeyAdmission, type KeyPolicies } from './key-admission.ts'
import { createSessionAdmission } from './sessions.ts'

export type AccessOptions = KeyPolicies & {
  session: RatePolicy
  /** The key the operator chose, if any. */
  bootstrapKey?: string | undefined
}

/** Decides over every credential there is. */
export function createAccess(db: Db, { session, bootstrapKey, ...policies }: AccessOptions): Access {
  const admitKey = createKeyAdmission(db, policies, bootstrapKey)
  const admitSession = createSessionAdmission(db, session)
  return { admit: ({ kind, secret }) => (kind === 'key' ? admitKey(secret) : admitSession(secret)) }
}
