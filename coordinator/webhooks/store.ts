import { randomUUID } from 'node:crypto'
import type { Db, Document } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { insertInSlot } from '../mongo/slots.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { WEBHOOK_SLOT_INDEX, type WebhookDocument, webhooksOf } from './documents.ts'
import type { ChangeWebhookRequest, CreateWebhookRequest } from './schema.ts'
import { newSigningSecret } from './signing-secret.ts'

/** SPEC, "Other limits". Disabled ones count, revoked ones do not. */
const MAX_ACTIVE_WEBHOOKS = 10

/**
 * Registers a webhook, whose URL must have been checked. Its secret is known only now: it is stored encrypted.
 * @throws AppError `conflict` when 10 are active.
 */
export async function createWebhook(
  db: Db,
  secrets: SecretBox,
  user_id: string,
  { name, url }: CreateWebhookRequest,
): Promise<{ document: WebhookDocument; secret: string }> {
  const secret = newSigningSecret()
  const now = new Date()
  const document: WebhookDocument = {
    _id: randomUUID(),
    user_id,
    name,
    url,
    sealed_secret: secrets.seal(secret),
    health_state: 'healthy',
    consecutive_failures: 0,
    created_at: now,
    updated_at: now,
  }
  const inserted = await insertInSlot({
    limit: MAX_ACTIVE_WEBHOOKS,
    indexName: WEBHOOK_SLOT_INDEX,
    taken: () => webhooksOf(db).distinct('slot', { user_id, slot: { $exists: true } }),
    insert: (slot) => webhooksOf(db).insertOne({ ...document, slot }),
  })
  if (!inserted) throw new AppError('conflict', `${MAX_ACTIVE_WEBHOOKS} webhooks are active. Revoke one first.`)
  return { document, secret }
}

/** All webhooks of a user, oldest first, disabled and revoked ones too. */
export function listWebhooks(db: Db, user_id: string): Promise<WebhookDocument[]> {
  return webhooksOf(db).find({ user_id }).sort({ created_at: 1, _id: 1 }).toArray()
}

/**
 * Changes what is given of a webhook, in one write. A URL must have been checked. False: it is unknown or revoked.
 */
export async function changeWebhook(db: Db, user_id: string, id: string, change: ChangeWebhookRequest) {
  const { matchedCount } = await webhooksOf(db).updateOne(active(user_id, id), [{ $set: changes(change) }])
  return matchedCount === 1
}

/** Revokes a webhook: it gets no more deliveries. False: it is unknown or revoked. */
export async function revokeWebhook(db: Db, user_id: string, id: string): Promise<boolean> {
  const now = new Date()
  const change = { $set: { revoked_at: now, updated_at: now }, $unset: { slot: true as const } }
  return (await webhooksOf(db).updateOne(active(user_id, id), change)).matchedCount === 1
}

const active = (user_id: string, id: string) => ({ _id: id, user_id, revoked_at: { $exists: false } })

// Every expression sees the webhook as it was before. Only what really differs is a change: `updated_at` says when.
function changes({ name, url, reenable = false }: ChangeWebhookRequest): Document {
  const given = Object.entries({ name, url }).flatMap(([field, text]) => (text === undefined ? [] : [{ field, text }]))
  const differs = ({ field, text }: { field: string; text: string }) => ({ $ne: [`$${field}`, { $literal: text }] })
  const revived = reenable ? { $eq: ['$health_state', 'disabled'] } : false
  const when = (condition: unknown, then: unknown, field: string) => ({ $cond: [condition, then, `$${field}`] })
  return {
    ...Object.fromEntries(given.map(({ field, text }) => [field, { $literal: text }])),
    updated_at: when({ $or: [revived, ...given.map(differs)] }, new Date(), 'updated_at'),
    verified_at: when(url === undefined ? false : differs({ field: 'url', text: url }), '$$REMOVE', 'verified_at'),
    health_state: when(revived, 'healthy', 'health_state'),
    consecutive_failures: when(revived, 0, 'consecutive_failures'),
    disabled_at: when(revived, '$$REMOVE', 'disabled_at'),
    disabled_reason: when(revived, '$$REMOVE', 'disabled_reason'),
  }
}
