import { JOB_EVENTS, type WebhookEvent } from '@placefleet/shared/webhooks/job-event'
import { newSigningSecret } from '@placefleet/shared/webhooks/signature'
import type { Db, Document } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { insertInSlot } from '../mongo/locks.ts'
import { fromNow, timeOrderedUuid } from '../mongo/time.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import {
  afterExhausted,
  afterSuccess,
  type FailureMode,
  type Health,
  type WebhookDocument,
  webhooksBy,
  webhooksOf,
} from './documents.ts'
import type { ChangeWebhookRequest, CreateWebhookRequest } from './schema.ts'

/** Webhooks of a user at most. Disabled ones count, revoked ones do not. */
const MAX_ACTIVE_WEBHOOKS = 10

/**
 * How many revoked webhooks of a user are kept. Older ones are removed, so that webhooks made and revoked in a loop
 * cannot fill the memory when they are listed.
 */
const KEPT_REVOKED_WEBHOOKS = 1_000

/** How long a replaced secret signs beside the new one, so that receivers have time to change. */
const OVERLAP_HOURS = 24

/** Replaced secrets that are kept when an owner rotates the secret several times a day. */
const KEPT_SECRETS = 3

/** How many counted deliveries are kept: more than can be in flight for one webhook when a process dies. */
const REMEMBERED = 50

/** A webhook whose signing secret was just generated. The secret is known only now. */
type WithSecret = { document: WebhookDocument; secret: string }

/** The next health of a webhook, with the fields that change with it; undefined when nothing changes. */
type Transition = { health: Health; changes: Document } | undefined

/**
 * Registers a webhook with a URL that passed `checkWebhookUrl`. The secret is stored encrypted.
 * @throws AppError `conflict` when 10 webhooks are active.
 */
export async function createWebhook(
  db: Db,
  secrets: SecretBox,
  user_id: string,
  { name, url, event_types }: CreateWebhookRequest,
): Promise<WithSecret> {
  const secret = newSigningSecret()
  const now = new Date()
  const document: WebhookDocument = {
    _id: timeOrderedUuid(),
    user_id,
    name,
    url,
    ...(event_types ? { event_types } : {}),
    sealed_secret: secrets.seal(secret),
    health_state: 'healthy',
    consecutive_failures: 0,
    created_at: now,
    updated_at: now,
  }
  const inserted = await insertInSlot({
    limit: MAX_ACTIVE_WEBHOOKS,
    index: webhooksBy.user_slot,
    taken: () => webhooksOf(db).distinct('slot', { user_id, slot: { $exists: true } }),
    insert: (slot) => webhooksOf(db).insertOne({ ...document, slot }),
  })
  if (!inserted) throw new AppError('conflict', `${MAX_ACTIVE_WEBHOOKS} webhooks are active. Revoke one first.`)
  return { document, secret }
}

/** Returns the webhooks of a user, oldest first, including disabled ones and the latest revoked ones. */
export function listWebhooks(db: Db, user_id: string): Promise<WebhookDocument[]> {
  return webhooksOf(db).find({ user_id }).sort({ created_at: 1, _id: 1 }).toArray()
}

/** Returns a webhook of a user, revoked or not. */
export async function findWebhook(db: Db, user_id: string, webhook_id: string): Promise<WebhookDocument | undefined> {
  return (await webhooksOf(db).findOne({ _id: webhook_id, user_id })) ?? undefined
}

/** Returns the webhooks of a user that receive an event: active webhooks, with this event among their events. */
export async function receivingWebhooks(db: Db, user_id: string, event: WebhookEvent): Promise<WebhookDocument[]> {
  const receiving = { user_id, revoked_at: { $exists: false }, health_state: { $ne: 'disabled' } } as const
  const webhooks = await webhooksOf(db).find(receiving).toArray()
  return webhooks.filter(({ event_types }) => (event_types ?? JOB_EVENTS).some((wanted) => wanted === event))
}

export function countDisabledWebhooks(db: Db): Promise<number> {
  return webhooksOf(db).countDocuments({ health_state: 'disabled', slot: { $exists: true } })
}

export async function webhooksById(db: Db, ids: readonly string[]): Promise<Map<string, WebhookDocument>> {
  if (ids.length === 0) return new Map()
  const documents = await webhooksOf(db)
    .find({ _id: { $in: [...ids] } })
    .toArray()
  return new Map(documents.map((webhook) => [webhook._id, webhook]))
}

/**
 * Changes the given fields of a webhook in one write. A URL must have passed `checkWebhookUrl`. Returns false when the
 * webhook is unknown or revoked.
 */
export async function changeWebhook(db: Db, user_id: string, id: string, change: ChangeWebhookRequest) {
  const { matchedCount } = await webhooksOf(db).updateOne(active(user_id, id), [{ $set: changes(change) }])
  return matchedCount === 1
}

/** Revokes a webhook, which ends its deliveries. Returns false when it is unknown or already revoked. */
export async function revokeWebhook(db: Db, user_id: string, id: string): Promise<boolean> {
  const now = new Date()
  const change = { $set: { revoked_at: now, updated_at: now }, $unset: { slot: true as const } }
  const { matchedCount } = await webhooksOf(db).updateOne(active(user_id, id), change)
  if (matchedCount === 1) await removeOldRevokedWebhooks(db, user_id)
  return matchedCount === 1
}

async function removeOldRevokedWebhooks(db: Db, user_id: string): Promise<void> {
  const old = await webhooksOf(db)
    .find({ user_id, revoked_at: { $exists: true } }, { projection: { _id: 1 } })
    .sort({ revoked_at: -1 })
    .skip(KEPT_REVOKED_WEBHOOKS)
    .toArray()
  // A delivery without its webhook is dropped when it is due.
  if (old.length > 0) await webhooksOf(db).deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })
}

/**
 * Replaces the signing secret of a webhook. The old secret signs as well for a day. Returns undefined when the webhook
 * is unknown or revoked.
 */
export async function rotateSecret(
  db: Db,
  box: SecretBox,
  user_id: string,
  webhook_id: string,
): Promise<WithSecret | undefined> {
  const secret = newSigningSecret()
  const replaced = { sealed_secret: '$sealed_secret', until: fromNow(OVERLAP_HOURS, 'hour') }
  const previous = { $concatArrays: [[replaced], { $ifNull: ['$previous_secrets', []] }] }
  const rotated = {
    sealed_secret: { $literal: box.seal(secret) },
    previous_secrets: { $slice: [previous, KEPT_SECRETS] },
    updated_at: '$$NOW',
  }
  const update = [{ $set: rotated }]
  const document = await webhooksOf(db).findOneAndUpdate(active(user_id, webhook_id), update, {
    returnDocument: 'after',
  })
  return document ? { document, secret } : undefined
}

const active = (user_id: string, id: string) => ({ _id: id, user_id, revoked_at: { $exists: false } })

// Every expression sees the webhook as it was before the update. `updated_at` moves only when a value really changes.
function changes({ name, url, event_types, reenable = false }: ChangeWebhookRequest): Document {
  const named = Object.entries({ name, url, event_types }).filter(([, value]) => value !== undefined)
  const differs = ([field, value]: [string, unknown]) => ({ $ne: [`$${field}`, { $literal: value }] })
  const revived = reenable ? { $eq: ['$health_state', 'disabled'] } : false
  const when = (condition: unknown, then: unknown, field: string) => ({ $cond: [condition, then, `$${field}`] })
  return {
    ...Object.fromEntries(named.map(([field, value]) => [field, { $literal: value }])),
    updated_at: when({ $or: [revived, ...named.map(differs)] }, new Date(), 'updated_at'),
    verified_at: when(url === undefined ? false : differs(['url', url]), '$$REMOVE', 'verified_at'),
    health_state: when(revived, 'healthy', 'health_state'),
    consecutive_failures: when(revived, 0, 'consecutive_failures'),
    disabled_at: when(revived, '$$REMOVE', 'disabled_at'),
    disabled_reason: when(revived, '$$REMOVE', 'disabled_reason'),
  }
}

/**
 * Counts a delivery that used up its attempts. Repeated calls count it once. Returns whether the webhook is disabled
 * now.
 */
export async function recordExhausted(
  db: Db,
  webhook_id: string,
  delivery_id: string,
  mode: FailureMode,
): Promise<boolean> {
  const webhook = await updateHealth(db, webhook_id, (before) => {
    const counted = before.counted_deliveries ?? []
    if (counted.includes(delivery_id)) return undefined
    const health = afterExhausted(before, mode)
    const disables = health.health_state === 'disabled' && before.health_state !== 'disabled'
    const since = disables ? { disabled_reason: mode, disabled_at: '$$NOW' } : {}
    return { health, changes: { counted_deliveries: [...counted, delivery_id].slice(-REMEMBERED), ...since } }
  })
  return webhook?.health_state === 'disabled'
}

/** Records a 2xx response from a URL: resets the failures, and verifies the URL if the webhook still has it. */
export async function recordSuccess(db: Db, webhook_id: string, url: string): Promise<void> {
  await updateHealth(db, webhook_id, (before) => {
    const health = afterSuccess(before)
    const verifies = before.url === url && before.verified_at === undefined
    const recovers = health.consecutive_failures !== before.consecutive_failures
    return verifies || recovers ? { health, changes: verifies ? { verified_at: '$$NOW' } : {} } : undefined
  })
}

/** Updates the health of a webhook by compare-and-set, and returns the result. */
async function updateHealth(
  db: Db,
  _id: string,
  decide: (before: WebhookDocument) => Transition,
): Promise<Health | undefined> {
  for (;;) {
    const before = await webhooksOf(db).findOne({ _id })
    if (!before) return undefined
    const transition = decide(before)
    if (!transition) return before
    const { url, health_state, consecutive_failures } = before
    const { health, changes } = transition
    const next = { health_state: health.health_state, consecutive_failures: health.consecutive_failures, ...changes }
    const unchanged = { _id, url, health_state, consecutive_failures }
    const { matchedCount } = await webhooksOf(db).updateOne(unchanged, [{ $set: next }])
    if (matchedCount === 1) return health
  }
}
