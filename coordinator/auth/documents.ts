import type { Collection, Db } from 'mongodb'
import { sessionsOf } from '../accounts/documents.ts'
import { LIVE_SESSION } from '../accounts/sessions.ts'
import { collection } from '../mongo/connect.ts'
import type { Index } from '../mongo/indexes.ts'

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

/** Facts that coordinators store for `ops`, which is a separate process. */
export type DeploymentDocument = { _id: 'deployment'; public_url: string }

export const linksOf = (db: Db): Collection<SignInLinkDocument> => collection(db, 'sign_in_links')
export const flowsOf = (db: Db): Collection<FlowDocument> => collection(db, 'sign_in_flows')
export const usedLogoutTokensOf = (db: Db): Collection<UsedLogoutTokenDocument> => collection(db, 'used_logout_tokens')
export const deploymentOf = (db: Db): Collection<DeploymentDocument> => collection(db, 'deployment')

/** The indexes that expire and find these documents. Each use checks the expiry as well. */
export const authIndexes: readonly Index[] = ['sign_in_links', 'sign_in_flows', 'used_logout_tokens'].map(
  (collection) => ({ collection, name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 }),
)

/** How often `forgetExpired` runs. */
export const FORGET_MS = 3_600_000

/**
 * Deletes expired links, sign-ins, logout tokens and sessions. They are rejected anyway. This keeps the collections
 * small on databases without a TTL monitor, and deletes idle sessions, which no TTL index covers.
 */
export async function forgetExpired(db: Db): Promise<void> {
  const over = { $expr: { $lt: ['$expires_at', '$$NOW'] } }
  await linksOf(db).deleteMany(over)
  await flowsOf(db).deleteMany(over)
  await usedLogoutTokensOf(db).deleteMany(over)
  await sessionsOf(db).deleteMany({ $expr: { $not: [LIVE_SESSION.$expr] } })
}
