/** The events that a webhook receives. */
export const JOB_EVENTS = ['job.completed', 'job.failed', 'job.cancelled'] as const

/** All events that a webhook can ask for. Those of jobs are the default. */
export const WEBHOOK_EVENTS = [...JOB_EVENTS, 'monitor.paused'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** The events of deliveries: those that a webhook can ask for, and that of a test delivery. */
export const DELIVERY_EVENTS = [...WEBHOOK_EVENTS, 'webhook.test'] as const
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number]

/** `pending` until it ends; `dropped` when its webhook was revoked or disabled first. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'dropped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]
