import {
  type JobEventPayload,
  jobEventPayload,
  type MonitorPausedPayload,
  type WebhookTestPayload,
} from '@placefleet/shared/webhooks/event-payloads'
import type { Db } from 'mongodb'
import { timeOrderedUuid } from '../../mongo/time.ts'
import type { WebhookDocument } from '../documents.ts'
import { receivingWebhooks } from '../store.ts'
import { type DeliveryDocument, deliveriesOf, MAX_ATTEMPTS, queueOf } from './documents.ts'
import { insertDeliveryOnce } from './store.ts'

/** A job in a final state. */
export type EndedJob = {
  job_id: string
  user_id: string
  name: string
  status: 'completed' | 'failed' | 'cancelled'
  result_count: number
  created_at: Date
  ended_at: Date
  /** W3C traceparent of the request that created the job. */
  traceparent?: string | undefined
}

/**
 * Records one delivery of a job's end for each receiving webhook of its user. Safe to repeat: existing deliveries stay
 * as they are. Returns the number of new deliveries.
 */
export async function recordDeliveries(db: Db, job: EndedJob): Promise<number> {
  const payload = payloadOf(job)
  const webhooks = await receivingWebhooks(db, job.user_id, payload.event_type)
  const made = await Promise.all(webhooks.map((webhook) => insertDeliveryOnce(db, jobDelivery(webhook, job, payload))))
  return made.filter(Boolean).length
}

/** A monitor that the service paused. */
export type PausedMonitor = { monitor_id: string; user_id: string; name: string; reason: string; paused_at: Date }

/**
 * Records one delivery of a monitor's pause for each webhook that asks for it. Safe to repeat. Returns the number of new
 * deliveries.
 */
export async function recordPause(db: Db, monitor: PausedMonitor): Promise<number> {
  const { monitor_id, user_id, name: monitor_name, reason, paused_at } = monitor
  const event_type = 'monitor.paused'
  const payload: MonitorPausedPayload = {
    event_type,
    monitor_id,
    monitor_name,
    reason,
    paused_at: paused_at.toISOString(),
  }
  const webhooks = await receivingWebhooks(db, user_id, event_type)
  const made = await Promise.all(
    webhooks.map((webhook) => {
      const due = delivery(webhook, payload, paused_at)
      const pause = `${monitor_id} ${payload.paused_at}`
      return insertDeliveryOnce(db, { ...due, event_type, pause, max_attempts: MAX_ATTEMPTS })
    }),
  )
  return made.filter(Boolean).length
}

/** Records a `webhook.test` delivery, due at once, with one attempt. */
export async function recordTest(db: Db, webhook: WebhookDocument): Promise<DeliveryDocument> {
  const event_type = 'webhook.test'
  const now = new Date()
  const payload: WebhookTestPayload = {
    event_type,
    webhook_id: webhook._id,
    webhook_name: webhook.name,
    created_at: now.toISOString(),
  }
  const due = { ...delivery(webhook, payload, now, true), due_at: new Date(0) }
  const document: DeliveryDocument = { ...due, event_type, max_attempts: 1 }
  await deliveriesOf(db).insertOne(document)
  return document
}

const payloadOf = ({ name, created_at, ended_at, ...job }: EndedJob): JobEventPayload =>
  jobEventPayload({
    ...job,
    job_name: name,
    created_at: created_at.toISOString(),
    ended_at: ended_at.toISOString(),
  })

function jobDelivery(webhook: WebhookDocument, job: EndedJob, payload: JobEventPayload): DeliveryDocument {
  const { event_type } = payload
  const due = delivery(webhook, payload, job.ended_at) // due by the clock of the database
  const trace = job.traceparent === undefined ? {} : { traceparent: job.traceparent }
  return { ...due, ...trace, event_type, job_id: job.job_id, max_attempts: MAX_ATTEMPTS }
}

type Common = Omit<DeliveryDocument, 'event_type' | 'max_attempts'>

function delivery(
  { _id: webhook_id, user_id, url }: WebhookDocument,
  payload: object,
  created_at: Date,
  by_hand = false,
): Common {
  return {
    _id: timeOrderedUuid(),
    user_id,
    webhook_id,
    queue: queueOf(url, by_hand),
    by_hand,
    body: JSON.stringify(payload),
    status: 'pending',
    due_at: created_at,
    attempt_count: 0,
    attempts: [],
    counted: [],
    created_at,
  }
}
