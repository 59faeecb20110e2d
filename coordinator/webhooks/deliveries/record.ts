import { randomUUID } from 'node:crypto'
import type { Db } from 'mongodb'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { type WebhookDocument, webhooksOf } from '../documents.ts'
import { DELIVERY_JOB_INDEX, type DeliveryDocument, deliveriesOf } from './documents.ts'
import { MAX_ATTEMPTS } from './retry-schedule.ts'

/** A job that reached a final state. */
export type EndedJob = {
  job_id: string
  user_id: string
  name: string
  status: 'completed' | 'failed' | 'cancelled'
  result_count: number
  created_at: Date
  ended_at: Date
}

/**
 * Records one delivery of a job's end for each of its user's webhooks that is neither revoked nor disabled. It may be
 * called again, by anybody: what is recorded stays as it is. Gives how many are new.
 */
export async function recordDeliveries(db: Db, job: EndedJob): Promise<number> {
  const filter = { user_id: job.user_id, revoked_at: { $exists: false }, health_state: { $ne: 'disabled' } } as const
  const webhooks = await webhooksOf(db).find(filter).toArray()
  const made = await Promise.all(webhooks.map((webhook) => insertOnce(db, jobDelivery(webhook, job))))
  return made.filter(Boolean).length
}

/** Records a `webhook.test` for a webhook, due at once. It has one attempt. */
export async function recordTest(db: Db, webhook: WebhookDocument): Promise<DeliveryDocument> {
  const event_type = 'webhook.test'
  const now = new Date()
  const payload = { event_type, webhook_id: webhook._id, webhook_name: webhook.name, created_at: now.toISOString() }
  const due = { ...delivery(webhook, payload, now), due_at: new Date(0) }
  const document: DeliveryDocument = { ...due, event_type, max_attempts: 1, by_hand: true }
  await deliveriesOf(db).insertOne(document)
  return document
}

async function insertOnce(db: Db, document: DeliveryDocument): Promise<boolean> {
  try {
    await deliveriesOf(db).insertOne(document)
    return true
  } catch (error) {
    if (isDuplicateKey(error, DELIVERY_JOB_INDEX)) return false
    throw error
  }
}

function jobDelivery(webhook: WebhookDocument, job: EndedJob): DeliveryDocument {
  const event_type = `job.${job.status}` as const
  const payload = {
    event_type,
    job_id: job.job_id,
    job_name: job.name,
    status: job.status,
    result_count: job.status === 'failed' ? 0 : job.result_count,
    created_at: job.created_at.toISOString(),
    ended_at: job.ended_at.toISOString(),
  }
  const due = delivery(webhook, payload, job.ended_at) // by the database's clock, as all that decides
  return { ...due, event_type, job_id: job.job_id, max_attempts: MAX_ATTEMPTS, by_hand: false }
}

type Common = Omit<DeliveryDocument, 'event_type' | 'max_attempts' | 'by_hand'>

function delivery({ _id: webhook_id, user_id }: WebhookDocument, payload: object, created_at: Date): Common {
  return {
    _id: randomUUID(),
    user_id,
    webhook_id,
    body: JSON.stringify(payload),
    status: 'pending',
    due_at: created_at,
    attempt_count: 0,
    attempts: [],
    counted: [],
    created_at,
  }
}
