import type { WebhookEvent } from '@placefleet/shared/webhooks/job-event'
import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import { indexesOf } from '../mongo/indexes.ts'
import type { SealedField } from '../secrets/store.ts'

export const HEALTH_STATES = ['healthy', 'degraded', 'disabled'] as const

/** The last failure when a webhook was disabled. */
export const DISABLED_REASONS = ['http_5xx', 'http_4xx', 'transport_error'] as const

/** A URL that is notified when a job of its user ends. */
export type WebhookDocument = {
  _id: string
  user_id: string
  name: string
  /** The URL as its owner wrote it. It was checked at registration, and is checked again at every attempt. */
  url: string
  /** The events that it receives. Absent: those of jobs. */
  event_types?: WebhookEvent[]
  /** The secret that signs deliveries, encrypted. */
  sealed_secret: string
  /** Replaced secrets, encrypted. They also sign until `until`. */
  previous_secrets?: { sealed_secret: string; until: Date }[]
  health_state: (typeof HEALTH_STATES)[number]
  /** Consecutive deliveries that used up all their attempts. */
  consecutive_failures: number
  /** The latest counted deliveries, so that a crash cannot count one twice. */
  counted_deliveries?: string[]
  /** When the first delivery to this URL succeeded. */
  verified_at?: Date
  disabled_at?: Date
  disabled_reason?: (typeof DISABLED_REASONS)[number]
  created_at: Date
  updated_at: Date
  /**
   * Set until the webhook is revoked. A disabled webhook keeps its slot, because it can be enabled again; see
   * mongo/locks.ts.
   */
  slot?: number
  revoked_at?: Date
}

/** Returns the host and port of a webhook's URL. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url

export const webhooksOf = (db: Db): Collection<WebhookDocument> => collection(db, 'webhooks')

/** The encrypted fields of webhooks: their signing secrets. */
export const webhookSealedFields: readonly SealedField[] = [
  { collection: 'webhooks', field: 'sealed_secret' },
  { collection: 'webhooks', field: 'previous_secrets' },
]

export const webhooksBy = indexesOf('webhooks', {
  user_created: { key: { user_id: 1, created_at: 1, _id: 1 } },
  /** Limits a user to ten active webhooks. */
  user_slot: { key: { user_id: 1, slot: 1 }, unique: true, partialFilterExpression: { slot: { $exists: true } } },
})

export const webhookIndexes = Object.values(webhooksBy)

/** How an attempt failed, in the terms of `disabled_reason`. */
export type FailureMode = (typeof DISABLED_REASONS)[number]

/** The part of a webhook that describes its health. */
export type Health = Pick<WebhookDocument, 'health_state' | 'consecutive_failures' | 'disabled_reason'>

/** Consecutive deliveries that used up all their attempts. */
const DEGRADED_FROM = 5
const DISABLED_FROM = 10

/** Returns the health after a delivery used up its attempts. A disabled webhook stays disabled. */
export function afterExhausted(health: Health, mode: FailureMode): Health {
  if (health.health_state === 'disabled') return health
  const consecutive_failures = health.consecutive_failures + 1
  if (consecutive_failures >= DISABLED_FROM) {
    return { health_state: 'disabled', consecutive_failures, disabled_reason: mode }
  }
  return { health_state: consecutive_failures >= DEGRADED_FROM ? 'degraded' : 'healthy', consecutive_failures }
}

/** Returns the health after a 2xx response. Only its owner enables a disabled webhook again. */
export function afterSuccess(health: Health): Health {
  return health.health_state === 'disabled' ? health : { health_state: 'healthy', consecutive_failures: 0 }
}

/**
 * Classifies a failure by its status code. Without one there was no response. A redirect is not followed; like a 4xx,
 * it is the fault of the URL.
 */
export function failureMode(status_code: number | undefined): FailureMode {
  if (status_code === undefined) return 'transport_error'
  return status_code >= 500 ? 'http_5xx' : 'http_4xx'
}
