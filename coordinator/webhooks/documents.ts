import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import type { Index } from '../mongo/indexes.ts'

/** How deliveries to a webhook fare (SPEC, "Webhook health states"). */
export const HEALTH_STATES = ['healthy', 'degraded', 'disabled'] as const

/** What went wrong last when a webhook was disabled. */
export const DISABLED_REASONS = ['http_5xx', 'http_4xx', 'transport_error'] as const

/** A URL that is told of the ends of its user's jobs. */
export type WebhookDocument = {
  _id: string
  user_id: string
  name: string
  /** As its owner wrote it. It was checked then, and must be checked again at every attempt. */
  url: string
  /** What deliveries are signed with, encrypted. */
  sealed_secret: string
  /** Replaced secrets, encrypted, that sign beside it until their time is over. */
  previous_secrets?: { sealed_secret: string; until: Date }[]
  health_state: (typeof HEALTH_STATES)[number]
  /** Deliveries in a row that used up all their attempts. */
  consecutive_failures: number
  /** The latest of them, so that a crash cannot make one count twice. */
  counted_deliveries?: string[]
  /** When the first delivery to this URL succeeded. */
  verified_at?: Date
  disabled_at?: Date
  disabled_reason?: (typeof DISABLED_REASONS)[number]
  created_at: Date
  updated_at: Date
  /** Held until it is revoked, also while disabled, since that can be undone; see mongo/slots.ts. */
  slot?: number
  revoked_at?: Date
}

export const webhooksOf = (db: Db): Collection<WebhookDocument> => collection(db, 'webhooks')

export const WEBHOOK_SLOT_INDEX = 'user_slot'

/** What webhooks are found by, and what keeps a user to ten active ones. */
export const webhookIndexes: readonly Index[] = [
  { collection: 'webhooks', name: 'user_created', key: { user_id: 1, created_at: 1, _id: 1 } },
  {
    collection: 'webhooks',
    name: WEBHOOK_SLOT_INDEX,
    key: { user_id: 1, slot: 1 },
    unique: true,
    partialFilterExpression: { slot: { $exists: true } },
  },
]
