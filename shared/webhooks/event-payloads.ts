import { z } from 'zod'
import { JOB_EVENTS } from './job-event.ts'

const time = z.iso.datetime()

const endedExample = {
  event_type: 'job.completed' as const,
  job_id: '0b0c6a4e-6d5f-4a51-8a0a-3f6f0c0d7e11',
  job_name: 'cafes',
  status: 'completed' as const,
  result_count: 120,
  created_at: '2026-01-02T03:04:05.678Z',
  ended_at: '2026-01-02T03:09:41.002Z',
}

/** The payload of a webhook about the end of a job. */
export const JobEndedEvent = z
  .object({
    event_type: z.enum(JOB_EVENTS),
    job_id: z.uuid(),
    job_name: z.string(),
    status: z.enum(['completed', 'failed', 'cancelled']),
    result_count: z.int().min(0).describe('the stored places; 0 for a failed job'),
    created_at: time,
    ended_at: time,
  })
  .meta({ id: 'JobEndedEvent', description: 'A job has ended.', examples: [endedExample] })

/** The payload of a webhook about a monitor that the service paused. */
export const MonitorPausedEvent = z
  .object({
    event_type: z.literal('monitor.paused'),
    monitor_id: z.uuid(),
    monitor_name: z.string(),
    reason: z.string().describe('why the service paused the monitor'),
    paused_at: time,
  })
  .meta({
    id: 'MonitorPausedEvent',
    description: 'The service paused a monitor.',
    examples: [
      {
        event_type: 'monitor.paused',
        monitor_id: '5f7e2c1b-8a39-4c8e-9d5e-0f6c2a7b9d34',
        monitor_name: 'New dentists',
        reason: 'insufficient credits',
        paused_at: '2026-01-02T03:04:05.678Z',
      },
    ],
  })

/** The payload of a test delivery. */
export const WebhookTestEvent = z
  .object({
    event_type: z.literal('webhook.test'),
    webhook_id: z.uuid(),
    webhook_name: z.string(),
    created_at: time,
  })
  .meta({
    id: 'WebhookTestEvent',
    description: 'Somebody tests the webhook.',
    examples: [
      {
        event_type: 'webhook.test',
        webhook_id: '7c0b8b0e-2d6c-4e43-9a55-94d1f5e0c3aa',
        webhook_name: 'Our CRM',
        created_at: '2026-01-02T03:04:05.678Z',
      },
    ],
  })

/** The body of any delivery. */
export const WebhookEventPayload = z
  .discriminatedUnion('event_type', [JobEndedEvent, MonitorPausedEvent, WebhookTestEvent])
  .meta({
    id: 'WebhookEvent',
    description: 'The body of a delivery. `event_type` says which event it is.',
    examples: [endedExample],
  })

export type JobEventPayload = z.infer<typeof JobEndedEvent>
export type MonitorPausedPayload = z.infer<typeof MonitorPausedEvent>
export type WebhookTestPayload = z.infer<typeof WebhookTestEvent>

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
