import type { Db } from 'mongodb'
import { type PageRequest, skipOf } from '../../http/paging.ts'
import { type WebhookDocument, webhooksOf } from '../documents.ts'
import { type DeliveryDocument, deliveriesOf } from './documents.ts'

/** A webhook of a user, revoked or not. */
export async function findWebhook(db: Db, user_id: string, webhook_id: string): Promise<WebhookDocument | undefined> {
  return (await webhooksOf(db).findOne({ _id: webhook_id, user_id })) ?? undefined
}

/** Deliveries of a webhook, newest first, and how many there are. */
export async function pageDeliveries(db: Db, user_id: string, webhook_id: string, page: PageRequest) {
  const filter = { user_id, webhook_id }
  const [deliveries, total] = await Promise.all([
    deliveriesOf(db).find(filter).sort({ created_at: -1, _id: -1 }).skip(skipOf(page)).limit(page.limit).toArray(),
    deliveriesOf(db).countDocuments(filter),
  ])
  return { deliveries, total }
}

/** A delivery of a user's webhook. */
export async function findDelivery(
  db: Db,
  user_id: string,
  webhook_id: string,
  delivery_id: string,
): Promise<DeliveryDocument | undefined> {
  return (await deliveriesOf(db).findOne({ _id: delivery_id, user_id, webhook_id })) ?? undefined
}

/**
 * Gives a delivery that is over one attempt more, due at once, under the same id. Undefined: it is not over. The rate
 * limits count it anew; the webhook's health does not.
 */
export async function retryByHand(db: Db, delivery: DeliveryDocument): Promise<DeliveryDocument | undefined> {
  const again = { status: 'pending', due_at: '$$NOW', max_attempts: { $add: ['$attempt_count', 1] }, by_hand: true }
  const over = { _id: delivery._id, status: { $ne: 'pending' } } as const
  const update = [{ $set: { ...again, counted: [] } }, { $unset: 'ended_at' }]
  return (await deliveriesOf(db).findOneAndUpdate(over, update, { returnDocument: 'after' })) ?? undefined
}
