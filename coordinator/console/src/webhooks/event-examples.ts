import type {
  JobEventPayload,
  MonitorPausedPayload,
  WebhookTestPayload,
} from '@placefleet/shared/webhooks/event-payloads'
import type { DeliveryEvent } from '@placefleet/shared/webhooks/job-event'

type Payload = JobEventPayload | MonitorPausedPayload | WebhookTestPayload

const ended = {
  job_id: '0b0c6a4e-6d5f-4a51-8a0a-3f6f0c0d7e11',
  job_name: 'cafes',
  created_at: '2026-01-02T03:04:05.678Z',
  ended_at: '2026-01-02T03:09:41.002Z',
}

/** The body of each event. */
export const PAYLOADS: Readonly<Record<DeliveryEvent, Payload>> = {
  'job.completed': { event_type: 'job.completed', ...ended, status: 'completed', result_count: 120 },
  'job.failed': { event_type: 'job.failed', ...ended, status: 'failed', result_count: 0 },
  'job.cancelled': { event_type: 'job.cancelled', ...ended, status: 'cancelled', result_count: 34 },
  'monitor.paused': {
    event_type: 'monitor.paused',
    monitor_id: '5f7e2c1b-8a39-4c8e-9d5e-0f6c2a7b9d34',
    monitor_name: 'New dentists',
    reason: 'insufficient credits',
    paused_at: '2026-01-02T03:04:05.678Z',
  },
  'webhook.test': {
    event_type: 'webhook.test',
    webhook_id: '7c0b8b0e-2d6c-4e43-9a55-94d1f5e0c3aa',
    webhook_name: 'Our CRM',
    created_at: '2026-01-02T03:04:05.678Z',
  },
}

/** The headers of a request, with an example of each. */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'user-agent': 'Service-Webhook/1.0',
  'x-webhook-id': '1f6b8d0c-55b1-4c0f-8c67-1a2b3c4d5e6f',
  'x-webhook-signature': 't=1767323381,sha256=5d6e9b0f3c1a7e2d4b8f6a09c3e1d7f5b2a4968c0d3e5f7a1b9c8d6e4f2a0b1c',
  'webhook-id': '1f6b8d0c-55b1-4c0f-8c67-1a2b3c4d5e6f',
  'webhook-timestamp': '1767323381',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
}

/** Returns an example of the request of an event. */
export function requestOfEvent(event: DeliveryEvent): string {
  const headers = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`)
  return ['POST /your/path HTTP/1.1', ...headers, '', JSON.stringify(PAYLOADS[event], undefined, 2)].join('\n')
}
