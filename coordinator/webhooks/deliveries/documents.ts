import type { Collection, Db } from 'mongodb'
import { collection } from '../../mongo/connect.ts'
import type { Index } from '../../mongo/indexes.ts'

/** SPEC, "Event types", and the one that tries a webhook out. */
export const EVENT_TYPES = ['job.completed', 'job.failed', 'job.cancelled', 'webhook.test'] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** `pending` until it is over; `dropped` when the webhook was revoked or disabled before. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'dropped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** What an attempt came to. Without a status nothing was answered; without an error it was a 2xx. */
export type AttemptResult = { status_code?: number; duration_ms: number; error?: string }

/** One attempt. It is recorded before it is made, so one without a result is under way or was cut off by a crash. */
export type Attempt = { number: number; at: Date } & Partial<AttemptResult>

/** One event for one webhook. */
export type DeliveryDocument = {
  /** What the receiver sees as `X-Webhook-ID`. */
  _id: string
  user_id: string
  webhook_id: string
  /** Absent on a `webhook.test`. Unique together with the webhook. */
  job_id?: string
  event_type: EventType
  /** The payload as it is sent each time, to the byte. */
  body: string
  status: DeliveryStatus
  /** From when on it may be claimed: the next attempt, or the end of a claim that nobody renewed. */
  due_at: Date
  /** Who works on it. Every change of a claimed delivery names its claim. */
  claim?: string
  attempt_count: number
  /** Attempts it may have in all. */
  max_attempts: number
  /** The latest ones. */
  attempts: Attempt[]
  /** Its owner asked for this run, so that its end says nothing about the webhook's health. */
  by_hand: boolean
  /** What the rate limits have counted it for; a retry to the same address is not counted again. */
  counted: string[]
  created_at: Date
  ended_at?: Date
}

export const deliveriesOf = (db: Db): Collection<DeliveryDocument> => collection(db, 'webhook_deliveries')

/** How long a delivery that is over can be looked at. */
const KEEP_SECONDS = 30 * 86_400

/** The index that makes one delivery of each end of a job to a webhook. */
export const DELIVERY_JOB_INDEX = 'job_webhook'

/** What deliveries are found by, and what keeps them from being recorded twice. */
export const deliveryIndexes: readonly Index[] = [
  {
    collection: 'webhook_deliveries',
    name: DELIVERY_JOB_INDEX,
    key: { job_id: 1, webhook_id: 1 },
    unique: true,
    partialFilterExpression: { job_id: { $exists: true } },
  },
  {
    collection: 'webhook_deliveries',
    name: 'pending_due',
    key: { due_at: 1 },
    partialFilterExpression: { status: 'pending' },
  },
  { collection: 'webhook_deliveries', name: 'webhook_created', key: { webhook_id: 1, created_at: -1, _id: -1 } },
  { collection: 'webhook_deliveries', name: 'expiry', key: { ended_at: 1 }, expireAfterSeconds: KEEP_SECONDS },
  { collection: 'webhook_windows', name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
]
