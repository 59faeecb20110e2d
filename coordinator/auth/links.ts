import { randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import { hashOf } from '../accounts/key-format.ts'
import { deploymentOf } from '../mongo/connect.ts'
import { fromNow } from '../mongo/time.ts'
import { linksOf } from './documents.ts'
import { HOME } from './paths.ts'

const LINK_MINUTES = 15

/** A one-time sign-in link. */
export type SignInLink = { url: string; expires_at: Date }

/**
 * Creates a link that signs a user in once, within 15 minutes. The token is in the fragment, which browsers do not
 * send, so it reaches no log and no other site.
 * @param publicUrl where the console is served.
 */
export async function createSignInLink(db: Db, user_id: string, publicUrl: string): Promise<SignInLink> {
  const token = randomBytes(32).toString('base64url')
  const times = { created_at: '$$NOW', expires_at: fromNow(LINK_MINUTES * 60, 'second') }
  const link = await linksOf(db).findOneAndUpdate(
    { _id: hashOf(token), kind: 'link' },
    [{ $set: { user_id, ...times } }],
    {
      upsert: true,
      returnDocument: 'after',
    },
  )
  if (!link) throw new Error('a sign-in link was not stored')
  return { url: `${publicUrl}${HOME}#link=${token}`, expires_at: link.expires_at }
}

/** Redeems a link and returns its user; undefined when it is unknown, used or expired. Of concurrent calls one succeeds. */
export async function redeemSignInLink(db: Db, token: string): Promise<string | undefined> {
  const link = await linksOf(db).findOneAndDelete({
    _id: hashOf(token),
    kind: 'link',
    $expr: { $gt: ['$expires_at', '$$NOW'] },
  })
  return link?.user_id
}

const publicUrlIn = (db: Db) => deploymentOf<{ _id: 'deployment'; public_url: string }>(db)

/** Records the public URL of this deployment, for links that `ops` creates. */
export async function recordPublicUrl(db: Db, public_url: string): Promise<void> {
  await publicUrlIn(db).updateOne({ _id: 'deployment' }, { $set: { public_url } }, { upsert: true })
}

/** Returns the public URL that the last started coordinator recorded; undefined before the first start. */
export async function recordedPublicUrl(db: Db): Promise<string | undefined> {
  return (await publicUrlIn(db).findOne({ _id: 'deployment' }))?.public_url
}
