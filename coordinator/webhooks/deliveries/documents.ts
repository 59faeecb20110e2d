import type { DeliveryEvent, DeliveryStatus } from '@placefleet/shared/webhooks/job-event'
import type { Collection, Db } from 'mongodb'
import { collection } from '../../mongo/connect.ts'
import { type Due, dueIndex, dueIndexBy } from '../../mongo/due-work.ts'
import { indexesOf } from '../../mongo/indexes.ts'
import { hostOf } from '../documents.ts'

/** Attempts of a delivery in total. */
export const MAX_ATTEMPTS = 5

/**
 * The result of an attempt. Without `headers` nothing was sent, because the URL was refused. Without a status code there
 * was no response; without an error it was a 2xx. `response_body` is the first kilobyte of the response, absent when it
 * was empty.
 */
export type AttemptResult = {
  headers?: Record<string, string>
  status_code?: number
  duration_ms: number
  error?: string
  response_body?: string
}

/**
 * One attempt. It is recorded before it is made: an attempt without a result is in flight or was interrupted by a
 * crash.
 */
export type Attempt = { number: number; at: Date } & Partial<AttemptResult>

/** One event for one webhook. Its id is sent as `X-Webhook-ID`. It is due while it is pending. */
export type DeliveryDocument = Due & {
  user_id: string
  webhook_id: string
  /** In which queue it waits: see `queueOf`. A slow one delays only its own deliveries. */
  queue: string
  /** The job that ended; absent for other events. Unique together with the webhook. */
  job_id?: string
  /** The pause of a monitor: its id and time. Unique together with the webhook. */
  pause?: string
  /** W3C traceparent of the request that created the job. */
  traceparent?: string
  event_type: DeliveryEvent
  /** The payload, sent byte for byte in every attempt. */
  body: string
  status: DeliveryStatus
  attempt_count: number
  max_attempts: number
  attempts: Attempt[]
  /** Set when the owner requested this attempt. Its result does not affect the health of the webhook. */
  by_hand: boolean
  /** The rate limits that counted it. A retry to the same address is not counted again. */
  counted: string[]
  created_at: Date
  ended_at?: Date
}

const BY_HAND = ' by hand'

/**
 * Returns the queue of deliveries to a host: one of its events, and one of the tests and repeats that owners requested,
 * which may be thousands.
 */
export const queueOf = (url: string, by_hand: boolean): string => (by_hand ? `${hostOf(url)}${BY_HAND}` : hostOf(url))

/** Whether a queue is one of tests and repeats. No host contains a space. */
export const isByHand = (queue: string): boolean => queue.endsWith(BY_HAND)

export const deliveriesOf = (db: Db): Collection<DeliveryDocument> => collection(db, 'webhook_deliveries')

/** How long an ended delivery is kept. */
const KEEP_SECONDS = 30 * 86_400

export const deliveriesBy = {
  ...indexesOf('webhook_deliveries', {
    /** Makes one delivery per job and webhook. */
    job_webhook: {
      key: { job_id: 1, webhook_id: 1 },
      unique: true,
      partialFilterExpression: { job_id: { $exists: true } },
    },
    /** Makes one delivery per pause of a monitor and webhook. */
    pause_webhook: {
      key: { pause: 1, webhook_id: 1 },
      unique: true,
      partialFilterExpression: { pause: { $exists: true } },
    },
    webhook_created: { key: { webhook_id: 1, created_at: -1, _id: -1 } },
    expiry: { key: { ended_at: 1 }, expireAfterSeconds: KEEP_SECONDS },
  }),
  due: dueIndex('webhook_deliveries'),
  due_queue: dueIndexBy('webhook_deliveries', 'queue'),
  due_user_id: dueIndexBy('webhook_deliveries', 'user_id'),
}

export const deliveryIndexes = Object.values(deliveriesBy)
