import type { Collection, Db } from 'mongodb'
import type { Taken } from '../http/rate-limit/bucket.ts'
import { collection } from '../mongo/connect.ts'
import type { Index } from '../mongo/indexes.ts'

export type UserDocument = {
  _id: string
  /** In lower case. */
  email: string
  created_at: Date
  /** Whether the higher limits hold: at least one settled purchase (SPEC, "Limits"). It never goes back to false. */
  paid: boolean
}

export type ApiKeyDocument = {
  _id: string
  user_id: string
  name: string
  /** SHA-256 of the key in hex. The key itself is stored nowhere. */
  hash: string
  key_hint_prefix: string
  key_hint_suffix: string
  created_at: Date
  /** A copy of the user's, so that a request needs to read only this document. */
  paid: boolean
  usage_count: number
  last_used_at?: Date
  bucket?: Taken
  /** Held while the key is active; see mongo/slots.ts. */
  slot?: number
  revoked_at?: Date
  /** The key a first start made by itself. There is one of it. */
  bootstrap?: true
}

export type SessionDocument = {
  _id: string
  user_id: string
  /** SHA-256 of the cookie's value in hex. */
  hash: string
  created_at: Date
  expires_at: Date
  paid: boolean
  bucket?: Taken
}

/** A limit of a user beside those of their keys. `_id` is `<limit>:<user id>`. */
export type UserBucketDocument = { _id: string; bucket: Taken }

export const usersOf = (db: Db): Collection<UserDocument> => collection(db, 'users')
export const apiKeysOf = (db: Db): Collection<ApiKeyDocument> => collection(db, 'api_keys')
export const sessionsOf = (db: Db): Collection<SessionDocument> => collection(db, 'sessions')
export const userBucketsOf = (db: Db): Collection<UserBucketDocument> => collection(db, 'user_buckets')

export const USER_EMAIL_INDEX = 'email'
export const KEY_HASH_INDEX = 'hash'
export const KEY_SLOT_INDEX = 'user_slot'
export const KEY_BOOTSTRAP_INDEX = 'bootstrap'

/** What this folder's queries and promises rest on. */
export const accountIndexes: readonly Index[] = [
  { collection: 'users', name: USER_EMAIL_INDEX, key: { email: 1 }, unique: true },
  { collection: 'api_keys', name: KEY_HASH_INDEX, key: { hash: 1 }, unique: true },
  { collection: 'api_keys', name: 'user_created', key: { user_id: 1, created_at: 1 } },
  {
    collection: 'api_keys',
    name: KEY_SLOT_INDEX,
    key: { user_id: 1, slot: 1 },
    unique: true,
    partialFilterExpression: { slot: { $exists: true } },
  },
  {
    collection: 'api_keys',
    name: KEY_BOOTSTRAP_INDEX,
    key: { bootstrap: 1 },
    unique: true,
    partialFilterExpression: { bootstrap: true },
  },
  { collection: 'sessions', name: 'hash', key: { hash: 1 }, unique: true },
  { collection: 'sessions', name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
]
