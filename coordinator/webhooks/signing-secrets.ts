import type { Db } from 'mongodb'
import { fromNow } from '../mongo/clock.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { type WebhookDocument, webhooksOf } from './documents.ts'
import { newSigningSecret } from './signing-secret.ts'

/** How long a replaced secret signs beside the new one, so that receivers have time to change. */
const OVERLAP_HOURS = 24

/** Replaced secrets that are kept, for someone who replaces them again and again within a day. */
const KEPT_SECRETS = 3

/**
 * The secrets that sign a webhook's deliveries now, the newest first.
 * @throws Error when they were encrypted under another key.
 */
export function signingSecrets(box: SecretBox, webhook: WebhookDocument, now: Date = new Date()): string[] {
  const previous = (webhook.previous_secrets ?? []).filter(({ until }) => until > now)
  return [webhook.sealed_secret, ...previous.map(({ sealed_secret }) => sealed_secret)].map((sealed) =>
    box.open(sealed),
  )
}

/**
 * Replaces a webhook's secret; the old one signs as well for a day. Gives the webhook and the new secret, which is
 * known only now. Undefined: it is unknown or revoked.
 */
export async function rotateSecret(
  db: Db,
  box: SecretBox,
  user_id: string,
  webhook_id: string,
): Promise<{ document: WebhookDocument; secret: string } | undefined> {
  const secret = newSigningSecret()
  const until = fromNow(OVERLAP_HOURS, 'hour')
  const replaced = { sealed_secret: '$sealed_secret', until }
  const previous = { $concatArrays: [[replaced], { $ifNull: ['$previous_secrets', []] }] }
  const changes = {
    sealed_secret: { $literal: box.seal(secret) },
    previous_secrets: { $slice: [previous, KEPT_SECRETS] },
    updated_at: '$$NOW',
  }
  const active = { _id: webhook_id, user_id, revoked_at: { $exists: false } }
  const document = await webhooksOf(db).findOneAndUpdate(active, [{ $set: changes }], { returnDocument: 'after' })
  return document ? { document, secret } : undefined
}
