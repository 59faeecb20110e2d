import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import { indexesOf } from '../mongo/indexes.ts'

/**
 * What is valid once and for minutes, of four kinds. `_id` is the SHA-256 of a secret in hex; the secret itself is not stored.
 * Queries name the kind, so the secret of one kind is worth nothing as another.
 */
type OneTime<Kind extends string> = { _id: string; kind: Kind; expires_at: Date }

/** A one-time link, by its token. */
type SignInLinkDocument = OneTime<'link'> & { user_id: string; created_at: Date }

/** A pending sign-in at the identity provider, by its `state`. */
type FlowDocument = OneTime<'flow'> & {
  /** SHA-256 of the flow cookie: only the browser that began the sign-in may complete it. */
  browser: string
  nonce: string
  code_verifier: string
  /** The path of the console to open after the sign-in. */
  return_to: string
}

/** A logout token that was used, by its issuer and `jti`. */
type UsedLogoutTokenDocument = OneTime<'logout'>

/** A program that waits for a person to let it in (RFC 8628), by its device code. */
export type DeviceLoginDocument = OneTime<'device'> & {
  /** The pairing code that the person compares. */
  user_code: string
  /** The name that the program gives itself. */
  client_name: string
  /** The IP address that began the login, which the person compares with where the program runs. */
  client_address: string
  created_at: Date
  /** Of a client of OAuth: what it asked for. Nobody knows the device code of its login. */
  authorization?: { client_id: string; redirect_uri: string; code_challenge: string; state?: string }
  /** Set once, by the person. */
  decision?: { user_id: string; approved: boolean }
}

export const linksOf = (db: Db): Collection<SignInLinkDocument> => collection(db, 'sign_ins')
export const flowsOf = (db: Db): Collection<FlowDocument> => collection(db, 'sign_ins')
export const usedLogoutTokensOf = (db: Db): Collection<UsedLogoutTokenDocument> => collection(db, 'sign_ins')
export const deviceLoginsOf = (db: Db): Collection<DeviceLoginDocument> => collection(db, 'sign_ins')

export const signInsBy = indexesOf('sign_ins', {
  expiry: { key: { expires_at: 1 }, expireAfterSeconds: 0 },
  user_code: { key: { user_code: 1 }, unique: true, partialFilterExpression: { user_code: { $exists: true } } },
})

/** The indexes that expire and find these documents. Each use checks the expiry as well. */
export const authIndexes = Object.values(signInsBy)
