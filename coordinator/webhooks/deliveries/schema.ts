import { DELIVERY_EVENTS, DELIVERY_STATUSES } from '@placefleet/shared/webhooks/job-event'
import { z } from 'zod'
import { PageFields, pageQuery } from '../../http/params.ts'
import type { Answer } from '../../http/typed-server.ts'
import type { Attempt, DeliveryDocument } from './documents.ts'

const timestamp = z.iso.datetime()

const headers = z.record(z.string(), z.string())

const DeliveryAttempt = z.object({
  number: z.int().min(1),
  at: timestamp,
  headers: headers.optional().describe('the headers that were sent; absent when the URL was refused'),
  status_code: z.int().optional().describe('absent without a response'),
  duration_ms: z.int().min(0).optional().describe('from the lookup of the name to the end of the response'),
  response_body: z.string().optional().describe('the first kilobyte of the response; absent when it was empty'),
  error: z.string().optional().describe('what went wrong; absent after a 2xx and while the attempt is in flight'),
})

const headersExample = {
  'content-type': 'application/json',
  'user-agent': 'Service-Webhook/1.0',
  'x-webhook-id': '1f6b8d0c-55b1-4c0f-8c67-1a2b3c4d5e6f',
  'x-webhook-signature': 't=1772443152,sha256=5d6e9b0f3c1a7e2d4b8f6a09c3e1d7f5b2a4968c0d3e5f7a1b9c8d6e4f2a0b1c',
  'webhook-id': '1f6b8d0c-55b1-4c0f-8c67-1a2b3c4d5e6f',
  'webhook-timestamp': '1772443152',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  host: 'example.com',
  'content-length': '226',
  connection: 'close',
}

const deliveryExample = {
  id: '1f6b8d0c-55b1-4c0f-8c67-1a2b3c4d5e6f',
  event_type: 'job.completed' as const,
  job_id: '4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10',
  body: '{"event_type":"job.completed","job_id":"4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10","job_name":"bakeries","status":"completed","result_count":87,"created_at":"2026-03-02T09:14:03.000Z","ended_at":"2026-03-02T09:19:12.000Z"}',
  headers: headersExample,
  status: 'delivered' as const,
  attempt_count: 1,
  attempts: [
    {
      number: 1,
      at: '2026-03-02T09:19:12.500Z',
      headers: headersExample,
      status_code: 200,
      duration_ms: 81,
      response_body: '{"ok":true}',
    },
  ],
  created_at: '2026-03-02T09:19:12.000Z',
  ended_at: '2026-03-02T09:19:12.581Z',
}

export const Delivery = z
  .object({
    id: z.uuid().describe('same as X-Webhook-ID'),
    event_type: z.enum(DELIVERY_EVENTS),
    job_id: z.uuid().optional().describe('the job that ended; absent for other events'),
    body: z.string().describe('the JSON that is sent, byte for byte'),
    headers: headers.optional().describe('the headers of the latest request; absent before the first one'),
    status: z.enum(DELIVERY_STATUSES).describe('`dropped`: the webhook was revoked or disabled first'),
    attempt_count: z.int().min(0),
    attempts: z.array(DeliveryAttempt).describe('oldest first, at most the latest 20'),
    next_attempt_at: timestamp.optional().describe('absent when no attempt is due'),
    created_at: timestamp,
    ended_at: timestamp.optional(),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'One event for one webhook, and its result.',
    examples: [deliveryExample],
  })
export type Delivery = z.infer<typeof Delivery>

export const DeliveryPage = z.object({ deliveries: z.array(Delivery), ...PageFields }).meta({
  id: 'WebhookDeliveryPage',
  description: 'A page of the deliveries of a webhook.',
  examples: [{ deliveries: [deliveryExample], total: 1, page: 1, limit: 20, has_more: false }],
})

/** The filters of the list of deliveries. */
export const DeliveryQuery = z.strictObject({
  ...pageQuery({ fallback: 20, max: 100 }),
  event_type: z.enum(DELIVERY_EVENTS).optional().describe('deliveries of this event'),
  status: z.enum(DELIVERY_STATUSES).optional().describe('deliveries with this status'),
})
export type DeliveryQuery = z.infer<typeof DeliveryQuery>

export const RetryFailedRequest = z
  .strictObject({ since: z.iso.datetime({ offset: true }).describe('retry what was created at this time or later') })
  .meta({
    id: 'RetryFailedRequest',
    description: 'Which failed deliveries to retry.',
    examples: [{ since: '2026-03-02T09:00:00Z' }],
  })

export const RetriedDeliveries = z
  .object({ retried: z.int().min(0).describe('deliveries that get one more attempt') })
  .meta({
    id: 'RetriedDeliveries',
    description: 'How many failed deliveries are retried.',
    examples: [{ retried: 12 }],
  })

export const JobDeliveries = z
  .object({
    deliveries: z.array(z.object({ ...Delivery.shape, webhook_id: z.uuid().describe('the webhook that receives it') })),
  })
  .meta({
    id: 'JobDeliveries',
    description: 'The deliveries that the end of a job caused.',
    examples: [{ deliveries: [{ ...deliveryExample, webhook_id: '0d2c7a61-9f4b-4b8e-9d57-2f6a1c3e5b70' }] }],
  })

export function presentDelivery({ _id: id, ...delivery }: DeliveryDocument): Answer<Delivery> {
  const { status, attempt_count, attempts, due_at, created_at } = delivery
  const waits = status === 'pending' && delivery.lease === undefined
  const underWay = status === 'pending' && !waits ? attempt_count : undefined
  return {
    ...delivery,
    id,
    headers: attempts.findLast((attempt) => attempt.headers)?.headers,
    attempts: attempts.map((attempt) => presentAttempt(attempt, attempt.number === underWay)),
    next_attempt_at: waits && due_at ? new Date(Math.max(+due_at, +created_at)) : undefined,
  }
}

function presentAttempt(attempt: Attempt, underWay: boolean): Attempt {
  const cutOff = attempt.duration_ms === undefined && !underWay
  return cutOff ? { ...attempt, error: 'The sender stopped before the response arrived.' } : attempt
}
