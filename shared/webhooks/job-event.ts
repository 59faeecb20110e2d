/** The events that a webhook receives. */
export const JOB_EVENTS = ['job.completed', 'job.failed', 'job.cancelled'] as const
export type JobEvent = (typeof JOB_EVENTS)[number]

/** All events that a webhook can ask for. Those of jobs are the default. */
export const WEBHOOK_EVENTS = [...JOB_EVENTS, 'monitor.paused'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** The events of deliveries: those that a webhook can ask for, and that of a test delivery. */
export const DELIVERY_EVENTS = [...WEBHOOK_EVENTS, 'webhook.test'] as const
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number]

/** `pending` until it ends; `dropped` when its webhook was revoked or disabled first. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'dropped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** The payload of a webhook about the end of a job. Times are ISO 8601. */
export type JobEventPayload = {
  event_type: JobEvent
  job_id: string
  job_name: string
  status: 'completed' | 'failed' | 'cancelled'
  result_count: number
  created_at: string
  ended_at: string
}

/** The payload of a webhook about a monitor that the service paused. `paused_at` is ISO 8601. */
export type MonitorPausedPayload = {
  event_type: 'monitor.paused'
  monitor_id: string
  monitor_name: string
  reason: string
  paused_at: string
}

/** Returns the payload for the end of a job. A failed job has no results. */
export function jobEventPayload(end: Omit<JobEventPayload, 'event_type'>): JobEventPayload {
  const { job_id, job_name, status, result_count, created_at, ended_at } = end
  return {
    event_type: `job.${status}`,
    job_id,
    job_name,
    status,
    result_count: status === 'failed' ? 0 : result_count,
    created_at,
    ended_at,
  }
}
