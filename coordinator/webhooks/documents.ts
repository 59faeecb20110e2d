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
