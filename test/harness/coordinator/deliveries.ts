import { randomBytes, randomUUID } from 'node:crypto'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { createSecretBox, type SecretBox } from '@placefleet/coordinator/secrets/secret-box'
import { TIMINGS } from '@placefleet/coordinator/timings'
import { type DeliverDeps, deliver } from '@placefleet/coordinator/webhooks/deliveries/deliver'
import type { DispatchDeps } from '@placefleet/coordinator/webhooks/deliveries/dispatch'
import { createDeliveryDeps } from '@placefleet/coordinator/webhooks/deliveries/dispatch'
import {
  type DeliveryDocument,
  deliveriesOf,
  deliveryIndexes,
} from '@placefleet/coordinator/webhooks/deliveries/documents'
import { type EndedJob, recordDeliveries } from '@placefleet/coordinator/webhooks/deliveries/record'
import { type WebhookDocument, webhookIndexes, webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { createWebhook } from '@placefleet/coordinator/webhooks/store'
import { ALLOW_NONE } from '@placefleet/shared/egress/target'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'

/** Delivery limits so high that no test reaches them by accident. */
export const AMPLE_HOURLY = { account: 1_000_000, address: 1_000_000 }

/** Creates a database with the collections of deliveries, and a secret box. */
export async function deliveryWorld(db: Db) {
  await ensureIndexes(db, [...webhookIndexes, ...deliveryIndexes])
  const secrets = createSecretBox(randomBytes(32))
  const log = createLogger('test', process.env.TEST_LOG_LEVEL ?? 'silent')
  const parts = (changes: Partial<DispatchDeps> = {}): DispatchDeps => ({
    ...createDeliveryDeps({
      log,
      db,
      secrets,
      allowHosts: ALLOW_NONE,
      hourly: AMPLE_HOURLY,
      timings: TIMINGS,
      attemptEnded: () => undefined,
    }),
    ...changes,
  })
  return { db, secrets, parts }
}

/** Registers a webhook of a new or given user. Returns it with its secret. */
export async function registerWebhook(db: Db, secrets: SecretBox, url: string, user_id: string = randomUUID()) {
  const { document, secret } = await createWebhook(db, secrets, user_id, { name: 'a webhook', url })
  return { webhook_id: document._id, user_id, secret, read: () => readWebhook(db, document._id) }
}

/** Returns a job that has just ended. */
export const endedJob = (user_id: string, changes: Partial<EndedJob> = {}): EndedJob => ({
  job_id: randomUUID(),
  user_id,
  name: 'a job',
  status: 'completed',
  result_count: 3,
  created_at: new Date('2026-01-02T03:04:05.678Z'),
  ended_at: new Date('2026-01-02T04:05:06.789Z'),
  ...changes,
})

/** Ends a job of a user and returns the id of the recorded delivery. */
export async function recordOne(db: Db, user_id: string, changes: Partial<EndedJob> = {}): Promise<string> {
  const job = endedJob(user_id, changes)
  await recordDeliveries(db, job)
  const delivery = await deliveriesOf(db).findOne({ job_id: job.job_id })
  if (!delivery) throw new Error('no delivery was recorded')
  return delivery._id
}

/** Skips the wait for the next attempt, and makes that attempt. */
export async function attempt(parts: DeliverDeps, delivery_id: string): Promise<DeliveryDocument> {
  await deliveriesOf(parts.db).updateOne(
    { _id: delivery_id, due_at: { $exists: true } },
    { $set: { due_at: new Date(0) } },
  )
  const claimed = await parts.queue.takeOne(delivery_id)
  if (!claimed) throw new Error('the delivery is not to be had')
  await deliver(parts, claimed, await readWebhook(parts.db, claimed.webhook_id))
  return readDelivery(parts.db, delivery_id)
}

/** Makes attempts until the delivery has ended. */
export async function attemptAll(parts: DeliverDeps, delivery_id: string): Promise<DeliveryDocument> {
  for (;;) {
    const delivery = await attempt(parts, delivery_id)
    if (delivery.status !== 'pending') return delivery
  }
}

export async function readDelivery(db: Db, _id: string): Promise<DeliveryDocument> {
  const delivery = await deliveriesOf(db).findOne({ _id })
  if (!delivery) throw new Error(`there is no delivery ${_id}`)
  return delivery
}

async function readWebhook(db: Db, _id: string): Promise<WebhookDocument> {
  const webhook = await webhooksOf(db).findOne({ _id })
  if (!webhook) throw new Error(`there is no webhook ${_id}`)
  return webhook
}
