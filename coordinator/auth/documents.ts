import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import { indexesOf } from '../mongo/indexes.ts'

/** A one-time link. `_id` is the SHA-256 of its token in hex; the token itself is not stored. */
export type SignInLinkDocument = { _id: string; user_id: string; created_at: Date; expires_at: Date }

/** A pending sign-in at the identity provider. `_id` is the SHA-256 of its `state` in hex. */
export type FlowDocument = {
  _id: string
  /** SHA-256 of the flow cookie: only the browser that began the sign-in may complete it. */
  browser: string
  nonce: string
  code_verifier: string
  /** The path of the console to open after the sign-in. */
  return_to: string
  expires_at: Date
}

/** A logout token that was used. `_id` is the SHA-256 of its issuer and `jti`. */
export type UsedLogoutTokenDocument = { _id: string; expires_at: Date }

/** A program that waits for a person to let it in (RFC 8628). `_id` is the SHA-256 of its device code in hex. */
export type DeviceLoginDocument = {
  _id: string
  /** The pairing code that the person compares. */
  user_code: string
  /** The name that the program gives itself. */
  client_name: string
  created_at: Date
  expires_at: Date
  /** Set once, by the person. */
  decision?: { user_id: string; approved: boolean }
}

/** Facts that coordinators store for `ops`, which is a separate process. */
export type DeploymentDocument = { _id: 'deployment'; public_url: string }

export const linksOf = (db: Db): Collection<SignInLinkDocument> => collection(db, 'sign_in_links')
export const flowsOf = (db: Db): Collection<FlowDocument> => collection(db, 'sign_in_flows')
export const usedLogoutTokensOf = (db: Db): Collection<UsedLogoutTokenDocument> => collection(db, 'used_logout_tokens')
export const deviceLoginsOf = (db: Db): Collection<DeviceLoginDocument> => collection(db, 'device_logins')
export const deploymentOf = (db: Db): Collection<DeploymentDocument> => collection(db, 'deployment')

const EXPIRY = { expiry: { key: { expires_at: 1 }, expireAfterSeconds: 0 } } as const

export const deviceLoginsBy = indexesOf('device_logins', {
  ...EXPIRY,
  user_code: { key: { user_code: 1 }, unique: true },
})

/** The indexes that expire and find these documents. Each use checks the expiry as well. */
export const authIndexes = [
  ...Object.values(deviceLoginsBy),
  ...['sign_in_links', 'sign_in_flows', 'used_logout_tokens'].map((name) => indexesOf(name, EXPIRY).expiry),
]
