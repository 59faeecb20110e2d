import type { Collection, Db } from 'mongodb'
import type { SpendingLimits } from '../http/authentication.ts'
import type { Taken } from '../http/rate-limit.ts'
import { collection } from '../mongo/connect.ts'
import { indexesOf } from '../mongo/indexes.ts'
import type { SealedField } from '../secrets/store.ts'

/** What a user may do. Operators may also call the operator API. */
export const ROLES = ['user', 'operator'] as const
export type Role = (typeof ROLES)[number]

/** The identity of a user at an identity provider. The pair never changes, unlike an email. */
export type Identity = { issuer: string; subject: string }

export type UserDocument = {
  _id: string
  /** In lower case. */
  email: string
  created_at: Date
  /** Absent: `user`. */
  role?: Role
  /** When a role lapses that a claim gave at a sign-in. Absent: it does not. */
  role_until?: Date
  /** Set at the first sign-in through an identity provider, and never replaced by another. */
  identity?: Identity
  /** Micro-credits promised at sign-up that are not in the ledger yet. */
  signup_bonus?: number
  /**
   * Whether the limits of paid accounts apply: at least one settled purchase. Never becomes false again.
   */
  paid: boolean
  /** When the user got the demo job of `npm start`. */
  demo_at?: Date
}

export type ApiKeyDocument = {
  _id: string
  user_id: string
  name: string
  /** SHA-256 of the key in hex. The key itself is not stored. */
  hash: string
  key_hint_prefix: string
  key_hint_suffix: string
  created_at: Date
  /** A copy of the user's flag, so that a request reads only this document. */
  paid: boolean
  usage_count: number
  last_used_at?: Date
  bucket?: Taken
  /** Absent: no limit. */
  limits?: SpendingLimits
  /** Set when a program got it by a pairing code. It never has the rights of an operator. */
  paired?: true
  /** Set while the key is active; see mongo/locks.ts. */
  slot?: number
  revoked_at?: Date
  /** The key from BOOTSTRAP_API_KEY. It is kept when revoked, so that the next start does not create it again. */
  chosen?: true
}

export type SessionDocument = {
  _id: string
  user_id: string
  /** SHA-256 of the cookie's value in hex. */
  hash: string
  created_at: Date
  last_used_at: Date
  /** When the session ends, even if it is in use. */
  expires_at: Date
  paid: boolean
  signed_in_by: 'link' | 'oidc'
  /** The browser, as it names itself. */
  user_agent?: string
  /** The data that a logout at the identity provider needs. */
  provider?: ProviderSession
  bucket?: Taken
}

/** The session at the identity provider from which one of our sessions came. */
export type ProviderSession = Identity & {
  /** The provider's id of the session, if it has one. */
  sid?: string
  /** The encrypted ID token: the provider expects it as a hint at logout. */
  id_token: string
}

export const usersOf = (db: Db): Collection<UserDocument> => collection(db, 'users')
export const apiKeysOf = (db: Db): Collection<ApiKeyDocument> => collection(db, 'api_keys')
export const sessionsOf = (db: Db): Collection<SessionDocument> => collection(db, 'sessions')

/** Sessions hold the ID token of the provider, sealed. */
export const sessionSealedFields: readonly SealedField[] = [{ collection: 'sessions', field: 'provider.id_token' }]

export const usersBy = indexesOf('users', {
  email: { key: { email: 1 }, unique: true },
  identity: {
    key: { 'identity.issuer': 1, 'identity.subject': 1 },
    unique: true,
    partialFilterExpression: { identity: { $exists: true } },
  },
})

export const apiKeysBy = indexesOf('api_keys', {
  hash: { key: { hash: 1 }, unique: true },
  user_created: { key: { user_id: 1, created_at: 1 } },
  user_slot: { key: { user_id: 1, slot: 1 }, unique: true, partialFilterExpression: { slot: { $exists: true } } },
})

const sessionsBy = indexesOf('sessions', {
  hash: { key: { hash: 1 }, unique: true },
  user: { key: { user_id: 1 } },
  provider: {
    key: { 'provider.issuer': 1, 'provider.subject': 1, 'provider.sid': 1 },
    partialFilterExpression: { provider: { $exists: true } },
  },
  expiry: { key: { expires_at: 1 }, expireAfterSeconds: 0 },
})

export const accountIndexes = [usersBy, apiKeysBy, sessionsBy].flatMap((indexes) => Object.values(indexes))
